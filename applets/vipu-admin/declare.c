/*
 * vipu-admin export and apply: the pod and its partitions as one file, and
 * from one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/vipu-admin/vipu-admin_internal.h"
#include "core/base/alloc.h"
#include "core/base/file.h"
#include "core/base/output_file.h"
#include "core/control/apply.h"
#include "core/control/transaction.h"
#include "core/pod/document/document.h"
#include "core/pod/document/document_text.h"

enum { DOCUMENT_MAX = 16 << 20 };	/* bytes */

const struct option_row declare_apply_options[] = {
	{ 'f', "file", "FILE", "the description, see ipubox-pod(5); - is "
	    "standard input" },
	{ KEY_DRY_RUN, "dry-run", NULL, "print what would be done, do "
	    "nothing" },
	{ KEY_FORCE, "force", NULL, "apply it even if partitions are removed" },
	{ 0 }
};

/* ---- export ---- */

/*
 * A damaged partition would be missing from the file, and applying that would
 * remove it: nothing is written then.
 */
int
declare_export(const struct call *call)
{
	struct controller	*c;
	struct snapshot		 s;
	struct error		 error;
	char			*text;
	int			 status;

	if ((c = call_open(call, &error)) == NULL)
		return applet_failed(call->applet, &error);
	status = transaction_list(c, &s, &error);
	call_close(call, c);
	if (status != 0)
		return applet_failed(call->applet, &error);
	if (s.damaged > 0) {
		(void)error_set(&error, "a partition cannot be read: %s",
		    s.damage);
		snapshot_release(&s);
		return applet_failed(call->applet, &error);
	}
	text = document_text(&s.pod, s.partitions, s.partition_count);
	snapshot_release(&s);
	if (call->name == NULL || strcmp(call->name, "-") == 0)
		fputs(text, stdout);
	else
		status = output_file_write(call->name, OUTPUT_STREAM, text,
		    strlen(text), &error);
	free(text);
	return status == 0 ? EXIT_DONE : applet_failed(call->applet, &error);
}

/* ---- apply ---- */

/* All of standard input; the caller frees it. */
static char *
read_input(size_t *size, struct error *e)
{
	char	*text = NULL;
	size_t	 got;

	*size = 0;
	do {
		text = xreallocarray(text, *size + BUFSIZ + 1, 1);
		got = fread(text + *size, 1, BUFSIZ, stdin);
		*size += got;
	} while (got > 0 && *size <= DOCUMENT_MAX);
	text[*size] = '\0';
	if (!ferror(stdin) && *size <= DOCUMENT_MAX)
		return text;
	free(text);
	(void)error_set(e, "standard input: %s", ferror(stdin) ?
	    "cannot be read" : "larger than a description may be");
	return NULL;
}

/* A file with a NUL byte is cut there by every reader of texts: refused. */
static int
read_document(struct document *d, const char *path, char **text,
    struct error *e)
{
	size_t	size;

	*d = (struct document){ .origin = NULL };
	*text = strcmp(path, "-") == 0 ? read_input(&size, e) :
	    file_read(path, DOCUMENT_MAX, &size, e);
	if (*text == NULL)
		return -1;
	if (strlen(*text) != size)
		return error_set(e, "%s: not a text", path);
	return document_parse(d, path, *text, e);
}

/* The plan is printed first, then carried out; a dry run ends behind it. */
static int
apply_document(const struct call *call, struct controller *c,
    const struct document *d, struct error *e)
{
	struct pod_plan	plan;
	size_t		i;
	int		status = 0;

	if (apply_plan(c, d, &plan, e) != 0)
		return -1;
	for (i = 0; i < plan.lines.count; i++)
		printf("%s\n", plan.lines.items[i]);
	/* The plan stands there before anything happens. */
	(void)fflush(stdout);
	if (plan.lines.count == 0)
		printf("apply pod (%s): nothing to do.\n", d->pod.name);
	else if (call->values[KEY_DRY_RUN] == NULL) {
		status = apply_run(c, &plan,
		    call->values[KEY_FORCE] != NULL, true, e);
		if (status == 0)
			printf("apply pod (%s): success.\n", d->pod.name);
		else
			(void)error_prefix(e, "apply pod (%s): failed",
			    d->pod.name);
	}
	pod_plan_release(&plan);
	return status;
}

int
declare_apply(const struct call *call)
{
	struct controller	*c = NULL;
	struct document		 d;
	struct error		 error;
	char			*text;
	int			 status;

	if (call->values['f'] == NULL)
		return call_misuse(call, "apply needs -f FILE");
	status = read_document(&d, call->values['f'], &text, &error);
	if (status == 0) {
		c = call_open(call, &error);
		status = c == NULL ? -1 : apply_document(call, c, &d, &error);
	}
	call_close(call, c);
	document_release(&d);
	free(text);
	return status == 0 ? EXIT_DONE : applet_failed(call->applet, &error);
}
