/*
 * The rule that derives the number of GCDs from a job's workers and its
 * command.  The command is split into words like a shell would, and never run.
 * Nothing is expanded: "$N" is a plain word, not a number.
 */
#include "core/kube/runtime/runtime.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/parse.h"
#include "core/base/strvec.h"
#include "core/base/text.h"

#define INSTANCES "--num-instances"

enum {
	NOT_KNOWN = -1, /* a variable, not a number, or popruns that differ */
	INSTANCES_MAX = 65536
};

/* The state of reading a command's words. */
struct command_reader {
	enum {
		BEFORE,
		OPTIONS,
		PROGRAM
	} at;		   /* expected next: poprun, its options, anything */
	bool takes_value;  /* the previous option may have a value */
	bool is_instances; /* that value is INSTANCES */
	int own;	   /* instances of this poprun, or 0 */
	int all;	   /* of the earlier popruns, or 0 */
	char *word;	   /* buffer for one word */
	size_t length;
	bool in_word;
};

/* Whether the word only precedes a program: NAME=VALUE, exec, then and the
   like. */
static bool
is_prefix(const char *word)
{
	static const char *const prefixes[] = { "exec", "time", "env", "nohup",
		"sudo", "command", "if", "then", "elif", "else", "while",
		"until", "do", "!", "{", NULL };
	size_t i = 0;

	if (isalpha((unsigned char)*word) || *word == '_')
		while (isalnum((unsigned char)word[i]) || word[i] == '_')
			i++;
	return (i > 0 && word[i] == '=') || text_is_among(word, prefixes);
}

static int
parse_instances(const char *text)
{
	long long value;

	return parse_number("", text, 1, INSTANCES_MAX, &value, NULL) == 0 ?
	    (int)value :
	    NOT_KNOWN;
}

/*
 * Take one of poprun's options.  A word without '-' after a long option is its
 * value.  -H is the only short option with a value.
 */
static void
take_poprun_option(struct command_reader *r, const char *word)
{
	const size_t length = strcspn(word, "=");

	r->is_instances = length == strlen(INSTANCES) &&
	    strncmp(word, INSTANCES, length) == 0;
	if (r->is_instances && word[length] == '=')
		r->own = parse_instances(word + length + 1);
	r->takes_value = word[length] == '\0' &&
	    (word[1] == '-' || strcmp(word, "-H") == 0);
}

static void
take_command_word(struct command_reader *r, const char *word)
{
	if (r->at == BEFORE && !is_prefix(word)) {
		r->at = PROGRAM;
		if (strcmp(path_base_name(word), "poprun") == 0) {
			r->at = OPTIONS;
			r->own = 1;
		}
	} else if (r->at == OPTIONS && *word == '-') {
		take_poprun_option(r, word);
	} else if (r->at == OPTIONS && r->takes_value) {
		if (r->is_instances)
			r->own = parse_instances(word);
		r->takes_value = false;
	} else if (r->at == OPTIONS)
		r->at = PROGRAM;
}

static void
put_letter(struct command_reader *r, char c)
{
	r->in_word = true;
	r->word[r->length++] = c;
}

static void
end_word(struct command_reader *r)
{
	if (!r->in_word)
		return;
	r->word[r->length] = '\0';
	take_command_word(r, r->word);
	r->length = 0;
	r->in_word = false;
}

static void
end_command(struct command_reader *r)
{
	end_word(r);
	if (r->own != 0)
		r->all = r->all != 0 && r->all != r->own ? NOT_KNOWN : r->own;
	r->at = BEFORE;
	r->takes_value = false;
	r->own = 0;
}

/*
 * Read the commands of a shell's text.  They end at a line break and at ; & | (
 * ) and `.  The body of a here document is read as commands too.
 */
static void
take_shell_text(struct command_reader *r, const char *text)
{
	char quote = '\0';

	r->word = xmalloc(strlen(text) + 1);
	for (; *text != '\0'; text++) {
		if (*text == '\\' && quote != '\'' && text[1] != '\0') {
			/* An escaped line break disappears: the line
			   continues. */
			if (*++text != '\n')
				put_letter(r, *text);
		} else if (quote != '\0' && *text != quote) {
			put_letter(r, *text);
		} else if (quote != '\0') {
			quote = '\0';
		} else if (*text == '\'' || *text == '"') {
			quote = *text;
			r->in_word = true;
		} else if (*text == '#' && !r->in_word) {
			text += strcspn(text, "\n") - 1;
		} else if (strchr(" \t\r<>", *text) != NULL) {
			end_word(r);
		} else if (strchr("\n;&|()`", *text) != NULL) {
			end_command(r);
		} else
			put_letter(r, *text);
	}
	end_command(r);
	free(r->word);
}

static void
add_texts(struct strvec *words, const struct yaml_node *list)
{
	size_t i;

	for (i = 0; list != NULL && list->kind == YAML_LIST && i < list->count;
	     i++)
		if (list->items[i].node->kind == YAML_TEXT)
			strvec_add(words, list->items[i].node->text);
}

/*
 * Return the index of a shell's text: the word after -c and the options that
 * follow.  0: no -c; words->count: the text is missing.
 */
static size_t
find_text(const struct strvec *words)
{
	static const char *const shells[] = { "sh", "bash", "dash", "ksh",
		"zsh", "ash", NULL };
	size_t i;
	bool has_c = false;

	if (words->count == 0 ||
	    !text_is_among(path_base_name(words->items[0]), shells))
		return 0;
	for (i = 1; i < words->count && *words->items[i] == '-'; i++)
		if (words->items[i][1] != '-' &&
		    strchr(words->items[i], 'c') != NULL)
			has_c = true;
	return has_c ? i : 0;
}

/*
 * Return how many instances poprun starts in a container or launcher: 1 by
 * default, 0 without a poprun, or NOT_KNOWN.
 */
static int
count_instances(const struct yaml_node *container)
{
	struct command_reader r = { .at = BEFORE };
	struct strvec words;
	size_t text, i;

	strvec_init(&words);
	add_texts(&words, yaml_get(container, "command"));
	add_texts(&words, yaml_get(container, "args"));
	text = find_text(&words);
	if (text == 0) {
		for (i = 0; i < words.count; i++)
			take_command_word(&r, words.items[i]);
		end_command(&r);
	} else if (text < words.count)
		take_shell_text(&r, words.items[text]);
	strvec_release(&words);
	return r.all;
}

int
job_gcds_count(const struct ipujob *job)
{
	int wanted = 0;

	if (job->launcher != NULL)
		wanted = count_instances(job->launcher);
	else if (job->workers == 1)
		wanted = count_instances(pod_object_container(job->template));
	if (wanted == NOT_KNOWN)
		return JOB_GCDS_RECONFIGURABLE;
	if (wanted > 0 && job->ipus % wanted == 0)
		return wanted;
	return job->ipus % job->workers == 0 ? job->workers : 1;
}
