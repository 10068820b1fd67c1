/*
 * The directory of a profile and its files: trace.json grows with the run, the
 * others are written at its end.
 */
#include "ipu/engine/profile/profile.h"

#include <sys/stat.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/array.h"
#include "core/base/clock.h"
#include "core/base/output_file.h"
#include "ipu/engine/profile/profile_data.h"
#include "ipu/engine/profile/report.h"
#include "ipu/engine/profile/schedule_text.h"
#include "ipu/engine/profile/summary.h"
#include "ipu/engine/profile/timeline.h"
#include "ipu/engine/profile/trace_json.h"

struct profile {
	struct profile_data	 data;
	char			*directory;	/* with the engine's name */
	FILE			*file;		/* trace.json */
	struct trace_json	 trace;
};

static void
print_timeline(FILE *f, const struct profile_data *d)
{
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", f);
	timeline_print(f, d, true);
}

/* What is written when all calls are through. */
static const struct {
	const char	*name;
	void		(*print)(FILE *, const struct profile_data *);
} files[] = {
	{ "schedule.txt", schedule_text },
	{ "timeline.svg", print_timeline },
	{ "summary.json", summary_print },
	{ "report.html", report_print }
};

enum { FILES = ARRAY_SIZE(files) };

/* The directory and those above it, for whoever the umask lets read. */
static int
profile_make_directory(char *path, struct error *e)
{
	char	*c, kept;

	for (c = path + 1;; c++) {
		if (*c != '/' && *c != '\0')
			continue;
		kept = *c;
		*c = '\0';
		if (mkdir(path, 0777) == -1 && errno != EEXIST)
			return error_set_errno(e, "cannot make the folder %s",
			    path);
		if ((*c = kept) == '\0')
			return 0;
	}
}

/* "e": a program that is started meanwhile does not inherit it. */
static FILE *
profile_open_file(const struct profile *p, const char *name, struct error *e)
{
	char	*path = xasprintf("%s/%s", p->directory, name);
	FILE	*f = fopen(path, "we");

	if (f == NULL)
		(void)error_set_errno(e, "cannot write %s", path);
	free(path);
	return f;
}

static int
close_file(const struct profile *p, const char *name, FILE *f, struct error *e)
{
	const bool	bad = ferror(f) != 0;

	if (fclose(f) == 0 && !bad)
		return 0;
	return error_set_errno(e, "cannot write %s/%s", p->directory, name);
}

/* What cannot be written at the end is refused at the beginning. */
static int
profile_check_files(const struct profile *p, struct error *e)
{
	char	*path;
	size_t	 i;
	int	 status = 0;

	for (i = 0; i < FILES && status == 0; i++) {
		path = xasprintf("%s/%s", p->directory, files[i].name);
		if (output_file_check(path, OUTPUT_STREAM, e) != 0)
			status = error_prefix(e, "cannot write %s", path);
		free(path);
	}
	return status;
}

/*
 * Reports of an earlier run: its files and this one's are not to be mixed.
 * What a user put there instead, as a FIFO or a link, is written into.
 */
static void
remove_old(const struct profile *p)
{
	struct stat	 st;
	char		*path;
	size_t		 i;

	for (i = 0; i < FILES; i++) {
		path = xasprintf("%s/%s", p->directory, files[i].name);
		if (lstat(path, &st) == 0 && S_ISREG(st.st_mode))
			(void)unlink(path);
		free(path);
	}
}

/*
 * trace.json first: where it cannot be made, an earlier profile stays as it
 * is.
 */
struct profile *
profile_open(const char *directory, const struct profile_about *about,
    const struct engine_config *config, const struct memory *memory,
    const struct cycles *cycles, struct error *e)
{
	struct profile	*p = xcalloc(1, sizeof(*p));

	p->directory = xasprintf("%s/%s", directory, about->engine);
	if (profile_make_directory(p->directory, e) != 0 ||
	    profile_check_files(p, e) != 0 ||
	    (p->file = profile_open_file(p, "trace.json", e)) == NULL) {
		free(p->directory);
		free(p);
		return NULL;
	}
	remove_old(p);
	(void)setvbuf(p->file, NULL, _IOFBF, TRACE_BUFFER);
	profile_data_init(&p->data, about, config, memory, cycles);
	trace_json_open(&p->trace, p->file, &p->data, clock_monotonic_ns());
	return p;
}

void
profile_call(struct profile *p, const struct engine *engine)
{
	trace_json_call(&p->trace, engine, p->data.calls);
	profile_data_add(&p->data, engine);
}

static int
profile_write_file(const struct profile *p, size_t i, struct error *e)
{
	FILE	*f = profile_open_file(p, files[i].name, e);

	if (f == NULL)
		return -1;
	files[i].print(f, &p->data);
	return close_file(p, files[i].name, f, e);
}

int
profile_close(struct profile *p, struct error *e)
{
	int	status;
	size_t	i;

	if (p == NULL)
		return 0;
	trace_json_close(&p->trace);
	status = close_file(p, "trace.json", p->file, e);
	for (i = 0; i < FILES && status == 0; i++)
		status = profile_write_file(p, i, e);
	profile_data_release(&p->data);
	free(p->directory);
	free(p);
	return status;
}
