/*
 * ipubox-job: the options that take one of several words, and printing an
 * object in the form that -o names.
 */
#ifndef APPLETS_IPUBOX_JOB_JOB_VALUES_H
#define APPLETS_IPUBOX_JOB_JOB_VALUES_H

#include "core/base/error.h"
#include "core/kube/kube.h"

struct job_call;

/* An option that takes one of several words.  A table ends with a row of
   zeroes. */
struct job_values {
	int key;
	const char *words;   /* "none, server or client" */
	const char *before;  /* kubectl's refusal, in front of the value; NULL:
				ours, which is misuse */
	const char *after;   /* and after it */
	const char *instead; /* for -o: what replaces kubectl's other forms, or
				NULL */
};

/* The form of output; a verb without -o, or with another word, has its own. */
enum job_form {
	FORM_DEFAULT,
	FORM_JSON,
	FORM_JSONPATH,
	FORM_NAME,
	FORM_WIDE,
	FORM_YAML
};

/* Check the values of the verb's table, and set what they choose.  Returns
   EXIT_DONE, or prints the refusal and returns its exit status.  The caller
   frees `path` in any case. */
int job_values_read(struct job_call *);
/* Print an object in the form of -o, which is not FORM_DEFAULT or FORM_WIDE.
   -1: as jsonpath_print(). */
int job_values_print(const struct job_call *, const char *resource,
    const char *name, const struct yaml_node *object, struct error *);

#endif
