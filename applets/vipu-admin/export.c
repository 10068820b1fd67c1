/*
 * vipu-admin export: the pod and its partitions as one file, from which
 * vipu-admin init makes them again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/vipu-admin/vipu-admin_internal.h"
#include "core/base/files/output_file.h"
#include "core/control/control.h"
#include "core/pod/document/document_text.h"

/*
 * A damaged partition would be missing from the file, so nothing is written
 * then.
 */
int
export_pod(const struct call *call)
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
