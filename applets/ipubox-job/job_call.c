/*
 * One command of ipubox-job: the ways in which all verbs answer.
 */
#include "applets/ipubox-job/job_call.h"

#include <stdarg.h>
#include <stdio.h>

#include "applets/applet.h"
#include "core/kube/runner/runner.h"

/* The text of a refusal, escaped as all that is quoted. */
static void __attribute__((format(printf, 2, 0)))
print_refusal(const char *begin, const char *format, va_list ap)
{
	struct error	e;

	(void)error_set_list(&e, format, ap);
	fprintf(stderr, "%s%s\n", begin, e.text);
}

int
job_call_refuse(const char *format, ...)
{
	va_list	ap;

	va_start(ap, format);
	print_refusal("error: ", format, ap);
	va_end(ap);
	return EXIT_FAILED;
}

int
job_call_failed(const struct error *e)
{
	fprintf(stderr, "error: %s\n", e->text);
	return EXIT_FAILED;
}

int
job_call_server_error(const char *reason, const char *format, ...)
{
	va_list	ap;

	fprintf(stderr, "Error from server (%s): ", reason);
	va_start(ap, format);
	print_refusal("", format, ap);
	va_end(ap);
	return EXIT_FAILED;
}

int
job_call_misuse(const struct job_call *c, const char *format, ...)
{
	va_list	ap;

	va_start(ap, format);
	print_refusal("error: ", format, ap);
	va_end(ap);
	fprintf(stderr, "usage: ipubox-job %s %s\n", c->verb->name,
	    c->verb->usage);
	return EXIT_USAGE;
}

int
job_call_read_files(const struct job_call *c, struct manifest *m,
    struct error *e)
{
	size_t	i;

	for (i = 0; i < c->files.count; i++)
		if (manifest_read(m, c->files.items[i], c->recursive,
		    e) != 0)
			return -1;
	return 0;
}

int
job_call_open(struct job_call *c, bool make)
{
	struct error	e;

	c->has_store = true;
	if (job_store_open(&c->store, make, &e) == 0 &&
	    runner_adopt_all(&c->store, &e) == 0)
		return EXIT_DONE;
	if (e.code != ERROR_NOT_FOUND || make)
		return job_call_failed(&e);
	/* Nobody has made a job here: there are none. */
	c->has_store = false;
	job_store_close(&c->store);
	return EXIT_DONE;
}
