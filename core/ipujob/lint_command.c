/*
 * Known mistakes in the commands of jobs.  They are read and never run; what
 * only a shell could know, as the value of a variable, is left alone.
 */
#include "core/ipujob/lint_command.h"

#include <stdio.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/bits.h"
#include "core/base/parse.h"
#include "core/base/path.h"
#include "core/base/strvec.h"
#include "core/ipujob/lint_script.h"

const char	lint_command_as_root[] = "as root, ";

enum {
	NOT_GIVEN = 0,
	NOT_KNOWN = LINT_COMMAND_UNKNOWN,
	NUMBER_MAX = 65536
};

/* The commands of one container, and where they stand. */
struct command_run {
	const struct lint		*lint;
	const struct lint_numbers	*job;
	struct lint_at			 at;	/* of the container */
	struct lint_at			 place;	/* of the text or the words */
	struct lint_script		 script;
	bool				 is_text;	/* of a shell */
	bool				 is_launcher;
	bool				 is_user;
};

/* What a call of poprun asks for. */
struct poprun_call {
	int	replicas;
	int	ipus;			/* of a replica */
	int	instances;
	bool	has_partition;		/* another one than the job's */
};

/* The texts of a list, behind those that are there. */
static void
add_texts(struct strvec *words, const struct lint_at *list)
{
	size_t	i;

	for (i = 0; i < lint_at_count(list); i++)
		if (list->node->items[i].node->kind == YAML_TEXT)
			strvec_add(words, list->node->items[i].node->text);
}

static bool
is_shell(const char *program)
{
	static const char *const	shells[] = { "sh", "bash", "dash",
					    "ksh", "zsh", "ash" };
	const char			*name = path_base_name(program);
	size_t				i;

	for (i = 0; i < ARRAY_SIZE(shells); i++)
		if (strcmp(name, shells[i]) == 0)
			return true;
	return false;
}

/*
 * Which word a shell takes for its text: the one behind -c, and behind the
 * options that follow.  0: it has no -c; words->count: there is none.
 */
static size_t
find_shell_text(const struct strvec *words)
{
	size_t	i;
	bool	has_c = false;

	if (words->count == 0 || !is_shell(words->items[0]))
		return 0;
	for (i = 1; i < words->count && *words->items[i] == '-'; i++)
		if (words->items[i][1] != '-' &&
		    strchr(words->items[i], 'c') != NULL)
			has_c = true;
	return has_c ? i : 0;
}

/* The place of a word: an item of command, or one of args behind it. */
static struct lint_at
place_of_word(const struct lint_at *command, const struct lint_at *args,
    size_t index)
{
	const size_t	before = lint_at_count(command);

	if (index < before)
		return lint_at_item(command, index);
	if (index - before < lint_at_count(args))
		return lint_at_item(args, index - before);
	return before > 0 ? *command : *args;
}

/* "line 3 of it: " where there are several. */
static const char *
line_text(const struct command_run *r, const struct lint_command *c,
    char *text, size_t size)
{
	*text = '\0';
	if (r->is_text && strchr(lint_at_text(&r->place), '\n') != NULL)
		(void)snprintf(text, size, "line %d of it: ", c->line);
	return text;
}

/* A variable of the container's env that is set. */
static bool
has_variable(const struct command_run *r, const char *name)
{
	const struct lint_at	env = lint_at_get(&r->at, "env");
	const char		*own;
	size_t			i;

	for (i = 0; i < lint_at_count(&env); i++) {
		own = yaml_get_text(env.node->items[i].node, "name");
		if (own != NULL && strcmp(own, name) == 0)
			return true;
	}
	return false;
}

/* Whether any word of any command has that in it. */
static bool
mentions(const struct command_run *r, const char *text)
{
	const struct lint_command	*c;
	size_t				 i, j;

	for (i = 0; i < r->script.count; i++) {
		c = &r->script.commands[i];
		for (j = 0; j < c->words.count; j++)
			if (strstr(c->words.items[j], text) != NULL)
				return true;
	}
	return false;
}

static int
read_poprun_number(const char *text)
{
	long long	value;

	return parse_number("", text, 1, NUMBER_MAX, &value, NULL) == 0 ?
	    (int)value : NOT_KNOWN;
}

/* One of poprun's options with its value. */
static void
take_poprun_option(struct poprun_call *call, const char *name, size_t length,
    const char *value)
{
	static const char *const	others[] = {
		"--vipu-partition", "--update-partition", "--offline-mode",
		"--import-config", "--vipu-server-host"
	};
	const struct {
		const char	*name;
		int		*value;
	} numbers[] = {
		{ "--num-replicas", &call->replicas },
		{ "--ipus-per-replica", &call->ipus },
		{ "--num-instances", &call->instances }
	};
	size_t				i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		if (strlen(numbers[i].name) == length &&
		    strncmp(numbers[i].name, name, length) == 0)
			*numbers[i].value = read_poprun_number(value);
	for (i = 0; i < ARRAY_SIZE(others); i++)
		if (strlen(others[i]) == length &&
		    strncmp(others[i], name, length) == 0)
			call->has_partition = true;
}

/*
 * The options, until the program.  A word without '-' behind an option is its
 * value; -H is the only short one that has one.
 */
static void
read_poprun(const struct lint_command *c, struct poprun_call *call)
{
	char *const	*words = c->words.items;
	const char	*word, *equals;
	size_t		 i;

	memset(call, 0, sizeof(*call));
	for (i = c->program + 1; i < c->words.count; i++) {
		word = words[i];
		if (*word != '-')
			return;
		equals = strchr(word, '=');
		if (equals != NULL) {
			take_poprun_option(call, word, (size_t)(equals - word),
			    equals + 1);
		} else if (words[i + 1] != NULL && *words[i + 1] != '-' &&
		    (word[1] == '-' || strcmp(word, "-H") == 0)) {
			take_poprun_option(call, word, strlen(word),
			    words[i + 1]);
			i++;
		}
	}
}

/* Replicas times their IPUs have to be the partition. */
static void
check_poprun_ipus(const struct command_run *r, const struct lint_command *c,
    const struct poprun_call *call)
{
	const int	replicas = call->replicas == NOT_GIVEN ? 1 :
			    call->replicas;
	const int	each = call->ipus == NOT_GIVEN ? 1 : call->ipus;
	char		line[48], mend[128] = "", other[64] = "";
	long		asked;

	if (r->job->ipus == 0 || call->has_partition || replicas < 0 ||
	    each < 0 || (call->replicas == NOT_GIVEN &&
	    call->ipus == NOT_GIVEN))
		return;
	asked = (long)replicas * each;
	if (asked == r->job->ipus)
		return;
	if (r->job->ipus % replicas == 0)
		(void)snprintf(mend, sizeof(mend), "--ipus-per-replica %d",
		    r->job->ipus / replicas);
	if (asked <= 64 && bits_is_power_of_two((unsigned long)asked))
		(void)snprintf(other, sizeof(other),
		    "%sipusPerJobInstance: \"%ld\"", *mend == '\0' ? "" :
		    ", or ", asked);
	lint_at_warn(r->lint, &r->place, "%spoprun asks for %ld IPU%s "
	    "(--num-replicas %d, --ipus-per-replica %d), and "
	    "spec.ipusPerJobInstance is \"%d\"%s%s%s",
	    line_text(r, c, line, sizeof(line)), asked, asked == 1 ? "" : "s",
	    replicas, each, r->job->ipus,
	    *mend == '\0' && *other == '\0' ? "" : ": say ", mend, other);
}

static void
check_poprun(const struct command_run *r, const struct lint_command *c)
{
	const int		workers = r->job->workers;
	const int		wanted = workers * r->job->model_replicas;
	struct poprun_call	call;
	char			line[48];

	read_poprun(c, &call);
	(void)line_text(r, c, line, sizeof(line));
	check_poprun_ipus(r, c, &call);
	if (wanted > 0 && call.replicas > 0 && call.replicas != wanted)
		lint_at_warn(r->lint, &r->place, "%spoprun starts %d "
		    "replica%s, and modelReplicasPerWorker of %d worker%s "
		    "makes %d", line, call.replicas, call.replicas == 1 ? "" :
		    "s", workers, workers == 1 ? "" : "s", wanted);
	if (call.instances > 0 && call.replicas > 0 &&
	    call.replicas % call.instances != 0)
		lint_at_warn(r->lint, &r->place, "%s%d instances of poprun "
		    "cannot share %d replica%s evenly", line, call.instances,
		    call.replicas, call.replicas == 1 ? "" : "s");
	if (r->is_launcher && call.instances > 0 && workers > 1 &&
	    call.instances % workers != 0)
		lint_at_warn(r->lint, &r->place, "%s%d instance%s of poprun "
		    "on %d workers: some get more of them than others", line,
		    call.instances, call.instances == 1 ? "" : "s", workers);
	if (!r->is_launcher && !r->job->has_launcher && workers > 1)
		lint_at_warn(r->lint, &r->place, "%seach of the %d workers "
		    "runs a poprun of its own; spec.launcher runs one over "
		    "all of them", line, workers);
}

/*
 * Several pods: the operator's guide wants the network named.  mpirun refuses
 * to run as root, which a container does unless it is told otherwise.
 */
static void
check_mpirun_call(const struct command_run *r, const struct lint_command *c,
    bool is_poprun)
{
	const bool	is_spread = r->is_launcher && r->job->workers > 1;
	char		line[48];

	(void)line_text(r, c, line, sizeof(line));
	if (is_spread && !mentions(r, "btl_tcp_if_") &&
	    !has_variable(r, "OMPI_MCA_btl_tcp_if_include"))
		lint_at_note(r->lint, &r->place, "%sin a cluster, workers "
		    "find each other only with %s--mca btl_tcp_if_include "
		    "INTERFACE%s", line, is_poprun ? "--mpi-global-args \"" :
		    "", is_poprun ? "\"" : "");
	/* On one host poprun starts its instances itself. */
	if ((is_poprun && !is_spread) || r->is_user ||
	    mentions(r, "allow-run-as-root") ||
	    mentions(r, "OMPI_ALLOW_RUN_AS_ROOT=") ||
	    has_variable(r, "OMPI_ALLOW_RUN_AS_ROOT"))
		return;
	lint_at_warn(r->lint, &r->place, "%s%s refuses to run as root, as "
	    "containers do: add --allow-run-as-root%s", line, is_poprun ?
	    "the mpirun of poprun" : "mpirun", is_poprun ? "=yes" : "");
}

/* A sleep without end, with more commands behind it. */
static void
check_sleep(const struct command_run *r, size_t index)
{
	const struct lint_command	*c = &r->script.commands[index];
	const size_t			 argument = c->program + 1;
	char				 line[48];

	if (index + 1 == r->script.count || argument >= c->words.count ||
	    strcmp(c->words.items[argument], "infinity") != 0)
		return;
	lint_at_note(r->lint, &r->place, "%sit sleeps for ever here, with its "
	    "IPUs, and does not come to what follows; delete the job when it "
	    "is no longer needed", line_text(r, c, line, sizeof(line)));
}

static bool
is_word_among(const char *word, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strcmp(word, *words) == 0)
			return true;
	return false;
}

/* A package manager that is to change what is installed. */
static bool
changes_packages(const struct lint_command *c)
{
	static const char *const	programs[] = {
		"apk", "apt", "apt-get", "conda", "dnf", "mamba", "pip",
		"pip3", "yum", "zypper", NULL
	};
	static const char *const	verbs[] = {
		"add", "autoremove", "del", "dist-upgrade", "full-upgrade",
		"install", "purge", "remove", "uninstall", "upgrade", NULL
	};
	size_t				i;

	if (!is_word_among(lint_script_program(c), programs))
		return false;
	for (i = c->program + 1; i < c->words.count; i++)
		if (is_word_among(c->words.items[i], verbs))
			return true;
	return false;
}

/* In the image that is the container's own business. */
static void
check_packages(const struct command_run *r)
{
	const struct lint_command	*c;
	char				 line[48];
	size_t				 i;

	for (i = 0; i < r->script.count; i++) {
		c = &r->script.commands[i];
		if (!changes_packages(c))
			continue;
		lint_at_note(r->lint, &r->place, "%s%s%s changes what is "
		    "installed on this host, unless ipubox.conf maps the "
		    "image to a directory", lint_command_as_root,
		    line_text(r, c, line, sizeof(line)),
		    lint_script_program(c));
		return;
	}
}

static void
check_commands(struct command_run *r)
{
	const char	*program;
	size_t		 i;

	check_packages(r);
	for (i = 0; i < r->script.count; i++) {
		program = lint_script_program(&r->script.commands[i]);
		if (strcmp(program, "poprun") == 0) {
			check_poprun(r, &r->script.commands[i]);
			check_mpirun_call(r, &r->script.commands[i], true);
		} else if (strcmp(program, "mpirun") == 0 ||
		    strcmp(program, "mpiexec") == 0) {
			check_mpirun_call(r, &r->script.commands[i], false);
		} else if (strcmp(program, "sleep") == 0) {
			check_sleep(r, i);
		}
	}
	if (r->script.cut_line > 0)
		lint_at_warn(r->lint, &r->place, "line %d of it ends with a "
		    "space behind its \\, so the command ends there",
		    r->script.cut_line);
}

/*
 * The text of a shell.  What stands behind it are its $0, $1 and so on, which
 * a text of one word certainly does not use.
 */
static void
read_text(struct command_run *r, const struct strvec *words, size_t text)
{
	if (text == words->count) {
		lint_at_warn(r->lint, &r->place, "%s runs nothing: there is "
		    "no text behind %s", words->items[0],
		    words->items[text - 1]);
		return;
	}
	r->is_text = true;
	lint_script_read(&r->script, words->items[text]);
	if (text + 1 < words->count &&
	    strpbrk(words->items[text], " \t\n$") == NULL)
		lint_at_warn(r->lint, &r->place, "%s runs '%s' alone: put it "
		    "and what follows into one text", words->items[0],
		    words->items[text]);
}

/* "python3 train.py" as one word is the name of a program that has a space. */
static void
check_first_word(const struct command_run *r, const struct strvec *words)
{
	if (words->count > 0 && strpbrk(words->items[0], " \n") != NULL)
		lint_at_warn(r->lint, &r->place, "no program is called '%s': "
		    "make each word an item of its own", words->items[0]);
}

/* The words of a container, and which of them is the text of a shell. */
static size_t
read_command_words(const struct lint_at *command,
    const struct lint_at *args, struct strvec *words)
{
	strvec_init(words);
	add_texts(words, command);
	add_texts(words, args);
	return find_shell_text(words);
}

void
lint_command_check(const struct lint *l, const struct lint_at *at,
    const struct lint_numbers *job, bool is_launcher, bool is_user)
{
	const struct lint_at	command = lint_at_get(at, "command");
	const struct lint_at	args = lint_at_get(at, "args");
	struct command_run	r = { .lint = l, .job = job, .at = *at,
				    .is_launcher = is_launcher,
				    .is_user = is_user };
	struct strvec		words;
	size_t			text = read_command_words(&command, &args,
				    &words);

	r.place = place_of_word(&command, &args, text);
	if (text > 0)
		read_text(&r, &words, text);
	else {
		lint_script_add(&r.script, words.items);
		check_first_word(&r, &words);
	}
	/* Only now is it certain that the place has that text. */
	r.is_text = r.is_text && lint_at_text(&r.place) != NULL;
	check_commands(&r);
	lint_script_release(&r.script);
	strvec_release(&words);
}

/* The instances of all popruns together, as lint_command_instances() has it. */
static int
count_instances(const struct lint_script *script)
{
	struct poprun_call	call;
	int			all = 0, own;
	size_t			i;

	for (i = 0; i < script->count; i++) {
		if (strcmp(lint_script_program(&script->commands[i]),
		    "poprun") != 0)
			continue;
		read_poprun(&script->commands[i], &call);
		own = call.instances == NOT_GIVEN ? 1 : call.instances;
		if (own == NOT_KNOWN || (all != 0 && own != all))
			return LINT_COMMAND_UNKNOWN;
		all = own;
	}
	return all;
}

int
lint_command_instances(const struct yaml_node *container)
{
	const struct lint_at	at = { .node = container, .near = container };
	const struct lint_at	command = lint_at_get(&at, "command");
	const struct lint_at	args = lint_at_get(&at, "args");
	struct lint_script	script = { .commands = NULL };
	struct strvec		words;
	const size_t		text = read_command_words(&command, &args,
				    &words);
	int			instances;

	if (text == 0)
		lint_script_add(&script, words.items);
	else if (text < words.count)
		lint_script_read(&script, words.items[text]);
	instances = count_instances(&script);
	lint_script_release(&script);
	strvec_release(&words);
	return instances;
}
