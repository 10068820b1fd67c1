/*
 * Translates the messages of mpirun(1), which prints paragraphs between lines
 * of dashes, including those of ssh(1).  Messages that poprun's result explains
 * better are dropped, and so are empty lines and crash reports.  Known ones
 * become one line with a remedy.  All others pass unchanged, with paragraphs
 * kept whole.
 *
 * Source: the help-*.txt files of Open MPI 4.1.4, and experiments.
 */
#ifndef CORE_JOB_MPIRUN_NOISE_H
#define CORE_JOB_MPIRUN_NOISE_H

#include <stdbool.h>

#include "core/base/strvec.h"

enum mpirun_noise_kind {
	MPIRUN_NOISE_PASS,   /* unchanged whole lines */
	MPIRUN_NOISE_ERROR,  /* a sentence without a newline */
	MPIRUN_NOISE_WARNING /* a sentence without a newline */
};

struct mpirun_noise;

/* Begin.  The job's other `hosts`, which are copied, are named in remedies;
   `report` receives each message, a text of `size` bytes valid during the call.
   Never fails. */
struct mpirun_noise *mpirun_noise_new(const struct strvec *hosts,
    void (*report)(void *context, enum mpirun_noise_kind, const char *text,
	size_t),
    void *context);
/* Free, without passing on what was kept.  NULL is fine. */
void mpirun_noise_free(struct mpirun_noise *);

/* Set the file of ipubox on other hosts (NULL: not used); a message then says
   how to install a missing one. */
void mpirun_noise_set_own(struct mpirun_noise *, const char *file);

/* Set the program that reaches other hosts in place of ssh(1).  Messages that
   look like those of ssh then pass unchanged. */
void mpirun_noise_set_agent(struct mpirun_noise *, const char *agent);

/* Process the next line of mpirun's standard error; only the last one may lack
   its newline. */
void mpirun_noise_line(struct mpirun_noise *, const char *, size_t);

/* Pass on what was kept, after mpirun's last line.  `explained`: poprun
   knows why the job ended, so errors of mpirun that only follow from it are
   dropped. */
void mpirun_noise_end(struct mpirun_noise *, bool explained);

/* ---- known messages of mpirun ---- */

enum mpirun_rule_kind {
	MPIRUN_RULE_DROP, /* harmless, or better explained by poprun */
	MPIRUN_RULE_ERROR,
	MPIRUN_RULE_WARNING,
	MPIRUN_RULE_LAST /* a consequence: an error only if nothing else was
			    reported */
};

/* In the sentence, {WORDS} is replaced by the text after these words in
   mpirun's message: the rest of the line if they end in ":", else the next
   word.  {} is a command that tests whether a host is reachable. */
struct mpirun_rule {
	enum mpirun_rule_kind kind;
	const char *words;    /* text to search for */
	const char *sentence; /* NULL for MPIRUN_RULE_DROP */
};

/* Return the rule for a line or paragraph of mpirun, or NULL.  `own` is
   ipubox's file for other hosts, or NULL; if that file is what cannot be
   executed, the remedy installs it. */
const struct mpirun_rule *mpirun_rules_find(const char *text, const char *own);

/* Return the rule's sentence, which is not NULL, for mpirun's message and that
   test command.  Words that the message lacks become "?".  The caller frees
   it. */
char *mpirun_rules_sentence(const struct mpirun_rule *, const char *text,
    const char *verify);

/* ---- known messages of ssh (its status is always 255) ---- */

enum ssh_trouble {
	SSH_OTHER,	  /* none of the following */
	SSH_UNKNOWN_NAME, /* the host's name has no address */
	SSH_REFUSED,	  /* the port is closed */
	SSH_SILENT,	  /* no answer */
	SSH_CLOSED,	  /* it answers, and closes the connection */
	SSH_CHANGED_KEY,  /* the host's key has changed */
	SSH_UNKNOWN_KEY,  /* the host's key is not known */
	SSH_DENIED,	  /* it rejects this host's key */
	SSH_TROUBLES
};

/* Classify the messages, one or more lines, of ssh or ssh-keyscan. */
enum ssh_trouble ssh_trouble_find(const char *text);

/* Set the error to the trouble and its remedy, to follow the host's name and a
   colon; `names` is the argument for copy-ssh(1).  Returns -1. */
int ssh_trouble_describe(enum ssh_trouble, const char *names, struct error *);

#endif
