/*
 * The profile: what each IPU ran, as a file in a folder.
 */
#include <stdlib.h>
#include <time.h>

#include "applets/train/parts.h"
#include "core/base/alloc.h"
#include "core/base/file.h"

int
open_profile(struct session *s, struct error *e)
{
	const char	*folder = engine_options_folder(&s->report);
	const int	 first = s->popdist.replica_index_offset;
	struct timespec	 t;
	char		*path;
	int		 r, i;

	if (file_make_folder(folder, e) == -1)
		return -1;
	path = xasprintf("%s/trace.json", folder);
	if ((s->trace_file = fopen(path, "we")) == NULL)
		(void)error_set_errno(e, "cannot write %s", path);
	free(path);
	if (s->trace_file == NULL)
		return -1;
	if (s->out != NULL && s->options->profile)
		fputs("Profiling is enabled.\n", s->out);
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	trace_open(&s->trace, s->trace_file,
	    (int64_t)t.tv_sec * 1000000000 + t.tv_nsec);
	for (r = 0; r < s->popdist.num_local_replicas; r++)
		for (i = 0; i < s->ipus; i++)
			trace_name(&s->trace, first + r, i);
	return 0;
}

int
close_profile(struct session *s, struct error *e)
{
	bool	bad;

	trace_close(&s->trace);
	bad = ferror(s->trace_file) != 0;
	bad = fclose(s->trace_file) != 0 || bad;
	s->trace_file = NULL;
	return bad ? error_set_errno(e, "cannot write the profile in %s",
	    engine_options_folder(&s->report)) : 0;
}

void
keep_trace(struct session *s, const struct engine *engine, int replicas)
{
	int	r, i;

	for (r = 0; s->trace_file != NULL && r < replicas; r++)
		for (i = 0; i < s->ipus; i++)
			trace_write(&s->trace, engine_trace(engine, r, i));
}
