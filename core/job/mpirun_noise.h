/*
 * What mpirun(1) itself says, as a person should see it: it prints paragraphs
 * between two lines of dashes, among them what ssh(1) says.  What poprun's own
 * result says better is dropped; what is known becomes one line with its
 * remedy; all else is passed on as it came, paragraphs whole.
 *
 * Source: the help-*.txt files of Open MPI 4.1.4, and trying.
 */
#ifndef CORE_JOB_MPIRUN_NOISE_H
#define CORE_JOB_MPIRUN_NOISE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/base/strvec.h"

enum mpirun_noise_kind {
	MPIRUN_NOISE_PASS,   /* bytes as they came, whole lines */
	MPIRUN_NOISE_ERROR,  /* a sentence without a newline */
	MPIRUN_NOISE_WARNING /* the same */
};

enum {
	/* A paragraph longer than this is none: it is passed on at once. */
	MPIRUN_NOISE_MAX = 16 * 1024
};

struct mpirun_noise;

/*
 * `hosts`, of the job, are for remedies; `say` is called with what a person
 * should see, a text that lasts for the call.  Never fails.
 */
struct mpirun_noise *mpirun_noise_new(const struct strvec *hosts,
    void (*say)(void *context, enum mpirun_noise_kind, const char *text,
	size_t),
    void *context);
void mpirun_noise_free(struct mpirun_noise *);

/* Where other hosts are to have ipubox as that file (NULL: they are not), a
   sentence tells what helps where it is missing. */
void mpirun_noise_set_own(struct mpirun_noise *, const char *file);

/* Other hosts are reached by this program, and not by ssh(1). */
void mpirun_noise_set_agent(struct mpirun_noise *, const char *agent);

/* The next line of mpirun's standard error, with its newline or at its end
   without. */
void mpirun_noise_line(struct mpirun_noise *, const char *, size_t);

/*
 * mpirun has ended: say what waited for the end.  `explained`: poprun knows why
 * the job ended; then what mpirun says of its own distress helps nobody.
 */
void mpirun_noise_end(struct mpirun_noise *, bool explained);

/* ---- what is known of the words of mpirun ---- */

enum mpirun_rule_kind {
	MPIRUN_RULE_DROP, /* poprun says it better, or it is harmless */
	MPIRUN_RULE_ERROR,
	MPIRUN_RULE_WARNING,
	MPIRUN_RULE_LAST /* a consequence: an error where nothing else was
			    said */
};

/*
 * In the sentence, braces stand for what follows the words in them, in mpirun's
 * text: the rest of the line where they end in ":", else the next word; and {}
 * stands for a command that tells whether a host is reached.
 */
struct mpirun_rule {
	enum mpirun_rule_kind kind;
	const char *words;    /* that the text holds */
	const char *sentence; /* NULL where it is dropped */
};

/*
 * For a line or a paragraph; NULL where none of the words is in it.  `own` is
 * ipubox's own file where other hosts are to have it, or NULL: where it is what
 * cannot be executed there is a way to bring it.
 */
const struct mpirun_rule *mpirun_rules_find(const char *text, const char *own);

/* The sentence, which the caller frees; `verify` is that command. */
char *mpirun_rules_sentence(const struct mpirun_rule *, const char *text,
    const char *verify);

/* ---- and of those of ssh, whose status is 255 for all its troubles ---- */

enum ssh_trouble {
	SSH_OTHER,	  /* none of these */
	SSH_UNKNOWN_NAME, /* the host's name has no address */
	SSH_REFUSED,	  /* nothing listens there */
	SSH_SILENT,	  /* no answer */
	SSH_CLOSED,	  /* it answers, and closes the connection */
	SSH_CHANGED_KEY,  /* the host's key is another one than before */
	SSH_UNKNOWN_KEY,  /* the host's key is not known */
	SSH_DENIED,	  /* it does not accept this host's key */
	SSH_TROUBLES
};

/* What the words of ssh or ssh-keyscan, a line or many, tell. */
enum ssh_trouble ssh_trouble_find(const char *text);

/*
 * The trouble and its remedy in a sentence whose subject is the host; `names`
 * is what copy-ssh(1) is given.  Always -1.
 */
int ssh_trouble_describe(enum ssh_trouble, const char *names, struct error *);

#endif
