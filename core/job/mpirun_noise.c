/*
 * Messages of mpirun: the reader of lines and paragraphs.  The table of known
 * ones is in mpirun_rules.c.
 */
#include "core/job/mpirun_noise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

/* A longer paragraph is passed on at once. */
enum { MPIRUN_NOISE_MAX = 16 * 1024 };

enum {
	RULE_OF_DASHES = 60, /* mpirun's have 74 */
	NAMES_SHOWN = 16     /* hosts in a sentence */
};

struct mpirun_noise {
	struct strvec hosts; /* the job's other hosts */
	char *own;	     /* ipubox's file, or NULL */
	char *verify;	     /* command that tests whether a host is
				reachable */
	bool by_ssh;
	void (*report)(void *, enum mpirun_noise_kind, const char *, size_t);
	void *context;
	struct memstream paragraph; /* with its lines of dashes */
	bool within;		    /* inside a paragraph */
	bool passing;		    /* it is too long: being passed on */
	bool crashing;		    /* inside a crash report */
	/* Kept until the end: */
	struct strvec troubled[SSH_TROUBLES];
	bool trouble[SSH_TROUBLES];
	struct strvec without_orted;
	bool no_orted;
	char *host;	   /* with an unknown key */
	bool changed;	   /* its key has changed */
	char *last_resort; /* reported if nothing else was */
	bool reported;	   /* an error was reported */
};

struct mpirun_noise *
mpirun_noise_new(const struct strvec *hosts,
    void (*report)(void *, enum mpirun_noise_kind, const char *, size_t),
    void *context)
{
	struct mpirun_noise *m = xcalloc(1, sizeof(*m));
	size_t i;

	strvec_init(&m->hosts);
	strvec_add_all(&m->hosts, hosts->items);
	for (i = 0; i < SSH_TROUBLES; i++)
		strvec_init(&m->troubled[i]);
	strvec_init(&m->without_orted);
	m->report = report;
	m->context = context;
	m->verify = xstrdup("copy-ssh --verify");
	m->by_ssh = true;
	(void)memstream_open(&m->paragraph);
	return m;
}

void
mpirun_noise_free(struct mpirun_noise *m)
{
	size_t i;

	if (m == NULL)
		return;
	strvec_release(&m->hosts);
	for (i = 0; i < SSH_TROUBLES; i++)
		strvec_release(&m->troubled[i]);
	strvec_release(&m->without_orted);
	free(memstream_close(&m->paragraph, NULL));
	free(m->own);
	free(m->verify);
	free(m->host);
	free(m->last_resort);
	free(m);
}

void
mpirun_noise_set_own(struct mpirun_noise *m, const char *file)
{
	free(m->own);
	m->own = file != NULL ? xstrdup(file) : NULL;
}

void
mpirun_noise_set_agent(struct mpirun_noise *m, const char *agent)
{
	free(m->verify);
	m->verify = xasprintf("%s HOST true", agent);
	m->by_ssh = false;
}

/* Add the name after `before`, up to one of the bytes in `ends`; false:
   `before` is missing. */
static bool
add_name(struct strvec *names, const char *text, const char *before,
    const char *ends)
{
	const char *name = strstr(text, before);
	char *copy;
	size_t size, i;

	if (name == NULL)
		return false;
	name += strlen(before);
	size = strcspn(name, ends);
	if (size == 0 || name[size] == '\0')
		return false;
	copy = xasprintf("%.*s", (int)size, name);
	for (i = 0; i < names->count; i++)
		if (strcmp(names->items[i], copy) == 0) {
			free(copy);
			return true;
		}
	strvec_take(names, copy);
	return true;
}

/* Add the host in a line of ssh, if it names one. */
static void
add_ssh_host(struct mpirun_noise *m, enum ssh_trouble trouble, const char *line)
{
	struct strvec *names = &m->troubled[trouble];

	m->trouble[trouble] = true;
	if (m->host != NULL) {
		strvec_take(names, m->host);
		m->host = NULL;
		return;
	}
	(void)(add_name(names, line, "connect to host ", " ") ||
	    add_name(names, line, "resolve hostname ", ": ") ||
	    (trouble == SSH_DENIED && add_name(names, line, "@", ":")) ||
	    add_name(names, line, "closed by remote ", " ") ||
	    add_name(names, line, " by ", " "));
}

/* Handle a line of ssh.  The warning of a changed key is passed on, because the
   user must judge it; so is everything unknown. */
static bool
take_ssh_line(struct mpirun_noise *m, const char *line)
{
	enum ssh_trouble trouble = ssh_trouble_find(line);
	struct strvec name;
	bool known;

	if (trouble == SSH_CHANGED_KEY) {
		m->changed = true;
		return false;
	}
	if (trouble == SSH_UNKNOWN_KEY && m->changed) {
		trouble = SSH_CHANGED_KEY;
		m->changed = false;
	}
	if (trouble != SSH_OTHER) {
		add_ssh_host(m, trouble, line);
		return true;
	}
	strvec_init(&name);
	known = strstr(line, "requested strict checking") != NULL &&
	    (add_name(&name, line, "host key is known for ", " ") ||
		add_name(&name, line, "Host key for ", " "));
	if (known) {
		free(m->host);
		m->host = xstrdup(name.items[0]);
	}
	strvec_release(&name);
	return known;
}

/* Handle a shell's message that another host has no such program on its
   PATH. */
static bool
take_orted_line(struct mpirun_noise *m, const char *line)
{
	if (strstr(line, "orted") == NULL ||
	    (strstr(line, "not found") == NULL &&
		strstr(line, "No such file") == NULL))
		return false;
	m->no_orted = true;
	return true;
}

static void
say_sentence(struct mpirun_noise *m, enum mpirun_noise_kind kind, char *text)
{
	m->reported = m->reported || kind == MPIRUN_NOISE_ERROR;
	m->report(m->context, kind, text, strlen(text));
	free(text);
}

/* Apply a rule to the text; false: unknown. */
static bool
take_known(struct mpirun_noise *m, const char *text)
{
	const struct mpirun_rule *rule = mpirun_rules_find(text, m->own);
	char *sentence;

	if (rule == NULL)
		return false;
	switch (rule->kind) {
	case MPIRUN_RULE_DROP:
		return true;
	case MPIRUN_RULE_ERROR:
		say_sentence(m, MPIRUN_NOISE_ERROR,
		    mpirun_rules_sentence(rule, text, m->verify));
		return true;
	case MPIRUN_RULE_WARNING:
		say_sentence(m, MPIRUN_NOISE_WARNING,
		    mpirun_rules_sentence(rule, text, m->verify));
		return true;
	case MPIRUN_RULE_LAST:
		sentence = mpirun_rules_sentence(rule, text, m->verify);
		/* The first is nearest to the cause. */
		if (m->last_resort == NULL)
			m->last_resort = sentence;
		else
			free(sentence);
		/* It names the host without orted. */
		(void)add_name(&m->without_orted, text, "target node:  ", "\n");
		return true;
	}
	return false;
}

static void
noise_pass(struct mpirun_noise *m, const char *text, size_t size)
{
	if (size > 0)
		m->report(m->context, MPIRUN_NOISE_PASS, text, size);
}

static bool
is_rule_of_dashes(const char *line, size_t size)
{
	size_t dashes = 0;

	while (dashes < size && line[dashes] == '-')
		dashes++;
	return dashes >= RULE_OF_DASHES &&
	    (dashes == size || line[dashes] == '\r' || line[dashes] == '\n');
}

/* Close the paragraph: apply the rule for it, or pass it on if none is
   known. */
static void
close_paragraph(struct mpirun_noise *m)
{
	size_t size;
	char *text = memstream_close(&m->paragraph, &size);

	if (!take_known(m, text))
		noise_pass(m, text, size);
	free(text);
	(void)memstream_open(&m->paragraph);
	m->within = false;
}

/* Handle a line that belongs to a paragraph, or opens one. */
static bool
take_paragraph_line(struct mpirun_noise *m, const char *line, size_t size)
{
	const bool dashes = is_rule_of_dashes(line, size);

	if (m->passing) {
		m->passing = !dashes;
		noise_pass(m, line, size);
		return true;
	}
	if (!m->within && !dashes)
		return false;
	(void)fwrite(line, 1, size, m->paragraph.file);
	if (m->within && dashes)
		close_paragraph(m);
	else
		m->within = true;
	if (ftell(m->paragraph.file) > MPIRUN_NOISE_MAX) {
		m->passing = true;
		close_paragraph(m);
	}
	return true;
}

/* Return true for a line to drop: an empty one, or one of a crash report of
   mpirun or orted, because their end is reported anyway.  Instances' output
   does not pass here. */
static bool
take_crash_line(struct mpirun_noise *m, const char *line)
{
	const bool within = m->crashing;

	if (strstr(line, "*** Process received signal ***") != NULL)
		m->crashing = true;
	else if (strstr(line, "*** End of error message ***") != NULL)
		m->crashing = false;
	return within || m->crashing || line[strspn(line, " \r\n")] == '\0';
}

void
mpirun_noise_line(struct mpirun_noise *m, const char *line, size_t size)
{
	char *text;

	if (take_paragraph_line(m, line, size))
		return;
	text = xasprintf("%.*s", (int)size, line);
	if (!take_crash_line(m, text) &&
	    !(m->by_ssh && take_ssh_line(m, text)) &&
	    !take_orted_line(m, text) && !take_known(m, text))
		noise_pass(m, line, size);
	free(text);
}

/* Print "n1", "n1 (and n2, n3)": the subject of a sentence.  Without names, as
   ssh gives none in batch mode, "one of n1, n2, n3". */
static void
print_subject(FILE *out, const struct strvec *names, const struct strvec *all)
{
	const bool known = names->count > 0;
	size_t i;

	names = known ? names : all;
	if (names->count == 0) {
		fputs("a host", out);
		return;
	}
	fprintf(out, "%s%s", known || names->count == 1 ? "" : "one of ",
	    names->items[0]);
	for (i = 1; i < names->count && i < NAMES_SHOWN; i++)
		fprintf(out, "%s%s", i == 1 && known ? " (and " : ", ",
		    names->items[i]);
	if (i < names->count)
		fprintf(out, " and %zu more", names->count - i);
	if (known && names->count > 1)
		fputc(')', out);
}

/* Return the argument for copy-ssh(1): these hosts, or all of the job. */
static char *
join_names(const struct strvec *names, const struct strvec *all)
{
	struct memstream m;
	size_t i;

	if (names->count == 0)
		names = all;
	(void)memstream_open(&m);
	for (i = 0; i < names->count; i++)
		fprintf(m.file, "%s%s", i > 0 ? "," : "", names->items[i]);
	if (names->count == 0)
		fputs("HOST", m.file);
	return memstream_close(&m, NULL);
}

static void
say_trouble(struct mpirun_noise *m, enum ssh_trouble trouble)
{
	const struct strvec *names = &m->troubled[trouble];
	struct memstream sentence;
	struct error e;
	char *joined = trouble == SSH_CHANGED_KEY && names->count > 0 ?
	    xstrdup(names->items[0]) :
	    join_names(names, &m->hosts);

	(void)ssh_trouble_describe(trouble, joined, &e);
	(void)memstream_open(&sentence);
	print_subject(sentence.file, names, &m->hosts);
	fprintf(sentence.file, ": %s", e.text);
	say_sentence(m, MPIRUN_NOISE_ERROR, memstream_close(&sentence, NULL));
	free(joined);
}

/* mpirun may name the host after the shell's message or before it. */
static void
report_no_orted(struct mpirun_noise *m)
{
	struct memstream sentence;

	(void)memstream_open(&sentence);
	print_subject(sentence.file, &m->without_orted, &m->hosts);
	fputs(": Open MPI's orted is not on the PATH there: apt-get install "
	      "openmpi-bin",
	    sentence.file);
	say_sentence(m, MPIRUN_NOISE_ERROR, memstream_close(&sentence, NULL));
}

void
mpirun_noise_end(struct mpirun_noise *m, bool explained)
{
	int i;

	if (m->within)
		close_paragraph(m);
	for (i = 0; i < SSH_TROUBLES; i++)
		if (m->trouble[i])
			say_trouble(m, (enum ssh_trouble)i);
	if (m->no_orted)
		report_no_orted(m);
	if (!m->reported && !explained && m->last_resort != NULL) {
		say_sentence(m, MPIRUN_NOISE_ERROR, m->last_resort);
		m->last_resort = NULL;
	}
}
