/*
 * What is known of mpirun's own words: a table, and sentences made from it.
 */
#ifndef CORE_JOB_MPIRUN_RULES_H
#define CORE_JOB_MPIRUN_RULES_H

enum mpirun_rule_kind {
	MPIRUN_RULE_DROP,	/* poprun says it better, or it is harmless */
	MPIRUN_RULE_ERROR,
	MPIRUN_RULE_WARNING,
	MPIRUN_RULE_LAST	/* a consequence: an error where nothing else
				   was said */
};

/*
 * In the sentence, braces stand for what follows the words in them, in mpirun's
 * text: the rest of the line where they end in ":", else the next word; and {}
 * stands for a command that tells whether a host is reached.
 */
struct mpirun_rule {
	enum mpirun_rule_kind	 kind;
	const char		*words;		/* that the text holds */
	const char		*sentence;	/* NULL where it is dropped */
};

/*
 * For a line or a paragraph; NULL where none of the words is in it.  `own` is
 * ipubox's own file where other hosts are to have it, or NULL: where it is what
 * cannot be executed there is a way to bring it.
 */
const struct mpirun_rule *mpirun_rules_find(const char *text, const char *own);

/* The sentence, which the caller frees; `verify` is that command. */
char	*mpirun_rules_sentence(const struct mpirun_rule *, const char *text,
	    const char *verify);

#endif
