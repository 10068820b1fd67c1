/*
 * The page of a job's instances, from their summaries.
 */
#include "ipu/engine/profile/profile_index.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yyjson.h>

#include "core/base/alloc.h"
#include "core/base/array.h"
#include "core/base/file.h"
#include "core/base/memstream.h"
#include "core/base/text.h"
#include "ipu/engine/collective_file.h"
#include "ipu/engine/profile/markup.h"
#include "ipu/engine/profile/profile_files.h"
#include "ipu/engine/profile/report.h"

enum {
	SUMMARY_MAX = 1 << 24,	/* bytes of a summary.json: of 64 IPUs 300 kB */
	INDEX_LOCK_SECONDS = 5
};

static const char	index_name[] = "index.html";
static const char *const index_engines[] = { "training", "inference" };

enum { INDEX_ENGINES = ARRAY_SIZE(index_engines) };

/* All rows, and their sums. */
struct index_table {
	const struct profile_index	*index;
	struct profile_index_row	*rows;	/* [instance][engine] */
	bool				*read;	/* likewise: there is one */
	int				 profiles;	/* instances with any */
};

/* ---- summaries ---- */

static double
number_at(yyjson_val *root, const char *path)
{
	yyjson_val	*v = yyjson_ptr_get(root, path);
	const double	 n = yyjson_is_num(v) ? yyjson_get_num(v) : 0;

	return isfinite(n) && n >= 0 && n < 1e15 ? n : 0;
}

static void
text_at(yyjson_val *root, const char *path, char *out, size_t size)
{
	const char	*text = yyjson_get_str(yyjson_ptr_get(root, path));

	text_printable(text == NULL ? "" : text, out, size);
}

static size_t
count_warnings(yyjson_val *root)
{
	yyjson_val	*list = yyjson_obj_get(root, "findings"), *finding;
	yyjson_arr_iter	 it;
	size_t		 n = 0;

	yyjson_arr_iter_init(list, &it);
	while ((finding = yyjson_arr_iter_next(&it)) != NULL)
		n += yyjson_equals_str(yyjson_obj_get(finding, "level"),
		    "warning");
	return n;
}

int
profile_index_read(struct profile_index_row *r, const char *text, size_t size)
{
	yyjson_doc	*doc = yyjson_read(text, size, 0);
	yyjson_val	*root = yyjson_doc_get_root(doc);
	const bool	 good = yyjson_is_obj(yyjson_obj_get(root, "run"));

	*r = (struct profile_index_row){ .complete = false };
	if (good) {
		text_at(root, "/model", r->model, sizeof(r->model));
		text_at(root, "/command", r->command, sizeof(r->command));
		text_at(root, "/run/interrupted", r->state, sizeof(r->state));
		r->complete = yyjson_is_true(yyjson_ptr_get(root,
		    "/run/complete"));
		if (r->state[0] == '\0')
			(void)snprintf(r->state, sizeof(r->state), "%s",
			    r->complete ? "complete" : "not complete");
		r->calls = number_at(root, "/run/calls");
		r->samples = number_at(root, "/run/samples");
		r->host_rate = number_at(root, "/run/host_samples_per_second");
		r->modelled_rate = number_at(root,
		    "/run/modelled_samples_per_second");
		r->host_used = number_at(root, "/utilisation/host");
		r->modelled_used = number_at(root, "/utilisation/modelled");
		r->warnings = count_warnings(root);
	}
	yyjson_doc_free(doc);
	return good ? 0 : -1;
}

static void
read_row(struct index_table *t, int instance, int engine)
{
	const int	 i = instance * INDEX_ENGINES + engine;
	char		*path = xasprintf("%s/%d/%s/summary.json",
	    t->index->directory, instance, index_engines[engine]);
	size_t		 size;
	char		*text = file_read(path, SUMMARY_MAX, &size, NULL);

	if (text != NULL)
		t->read[i] = profile_index_read(&t->rows[i], text, size) == 0;
	free(text);
	free(path);
}

static void
read_rows(struct index_table *t)
{
	const int	n = t->index->count;
	int		i, k;
	bool		any;

	t->rows = xcalloc((size_t)n * INDEX_ENGINES, sizeof(*t->rows));
	t->read = xcalloc((size_t)n * INDEX_ENGINES, sizeof(*t->read));
	for (i = 0; i < n; i++) {
		any = false;
		for (k = 0; k < INDEX_ENGINES; k++) {
			read_row(t, i, k);
			any = any || t->read[i * INDEX_ENGINES + k];
		}
		t->profiles += any;
	}
}

/* ---- the page ---- */

/* The first that was read: model and command are those of all. */
static const struct profile_index_row *
first_row(const struct index_table *t)
{
	int	i;

	for (i = 0; i < t->index->count * INDEX_ENGINES; i++)
		if (t->read[i])
			return &t->rows[i];
	return NULL;
}

static void
index_print_head(FILE *f, const struct index_table *t)
{
	const struct profile_index_row	*r = first_row(t);
	const char	*model = r == NULL ? "Profiles" : r->model;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	    "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
	    "content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>", f);
	markup_text(f, model);
	fputs(": instances</title>\n<style>\n", f);
	fputs(report_css_text, f);
	fputs("</style>\n</head>\n<body>\n<main>\n<header>\n<h1>", f);
	markup_text(f, model);
	fputs(": instances</h1>\n<p class=\"sub\">", f);
	if (r != NULL) {
		fputs("<code>", f);
		markup_text(f, r->command);
		fputs("</code><br>", f);
	}
	fprintf(f, "ipubox %s</p>\n</header>\n", IPUBOX_VERSION);
}

/* Samples of an engine, and rates: what instances do they do at once. */
static void
index_print_cards(FILE *f, const struct index_table *t)
{
	double	host = 0, modelled = 0;
	char	text[MARKUP_SIZE];
	int	i;

	for (i = 0; i < t->index->count * INDEX_ENGINES; i += INDEX_ENGINES) {
		host += t->read[i] ? t->rows[i].host_rate : 0;
		modelled += t->read[i] ? t->rows[i].modelled_rate : 0;
	}
	fprintf(f, "<div class=\"cards\">\n<div class=\"card\"><span class=\""
	    "label\">instances with a profile</span><b>%d", t->profiles);
	if (!t->index->gaps)
		fprintf(f, " of %d", t->index->count);
	fprintf(f, "</b></div>\n<div class=\"card\"><span class=\"label\">"
	    "training samples a second, all, this host</span><b>%s</b></div>\n",
	    markup_number(text, llround(host)));
	fprintf(f, "<div class=\"card\"><span class=\"label\">training samples "
	    "a second, all, modelled</span><b>%s</b></div>\n</div>\n",
	    markup_number(text, llround(modelled)));
}

static void
print_cell(FILE *f, const char *engine, const char *key, int instance, double n,
    bool is_share)
{
	char	path[96];

	(void)snprintf(path, sizeof(path), "%%.%s.%s", engine, key);
	fputs("<td>", f);
	if (is_share)
		markup_figure_share(f, path, instance, n);
	else
		markup_figure_number(f, path, instance, n);
	fputs("</td>", f);
}

static void
print_instance(FILE *f, const struct index_table *t, int instance, int engine)
{
	const char	*name = index_engines[engine];
	const struct profile_index_row *r = &t->rows[instance * INDEX_ENGINES +
	    engine];

	fprintf(f, "<tr><th scope=\"row\"><a href=\"%d/%s/report.html\">"
	    "instance %d, %s</a></th>", instance, name, instance, name);
	print_cell(f, name, "run.calls", instance, r->calls, false);
	print_cell(f, name, "run.samples", instance, r->samples, false);
	print_cell(f, name, "run.host_samples_per_second", instance,
	    r->host_rate, false);
	print_cell(f, name, "run.modelled_samples_per_second", instance,
	    r->modelled_rate, false);
	print_cell(f, name, "utilisation.host", instance, r->host_used, true);
	print_cell(f, name, "utilisation.modelled", instance, r->modelled_used,
	    true);
	fprintf(f, "<td>%zu</td><td class=\"text state\">", r->warnings);
	markup_text(f, r->state);
	fputs("</td></tr>\n", f);
}

/* Whoever is not there: of a job whose instances have all numbers it counts. */
static void
print_missing(FILE *f, const struct index_table *t, int instance)
{
	int	k;

	for (k = 0; k < INDEX_ENGINES; k++)
		if (t->read[instance * INDEX_ENGINES + k])
			return;
	if (!t->index->gaps)
		fprintf(f, "<tr><th scope=\"row\">instance %d</th>"
		    "<td class=\"text state\" colspan=\"8\">no profile: it "
		    "still runs, or it ended before it could write one</td>"
		    "</tr>\n", instance);
}

static void
index_print_table(FILE *f, const struct index_table *t)
{
	int	i, k;

	fputs("<section id=\"instances\">\n<h2>Instances</h2>\n"
	    "<p class=\"how\">Each link leads to the report of an instance. "
	    "The first instance alone tests what all have learnt.</p>\n"
	    "<div class=\"scroll\"><table><thead><tr>"
	    "<th class=\"text\">profile</th><th>calls</th><th>samples</th>"
	    "<th>samples a second,<br>this host</th>"
	    "<th>samples a second,<br>modelled</th>"
	    "<th>utilisation,<br>this host</th>"
	    "<th>utilisation,<br>modelled</th><th>warnings</th>"
	    "<th class=\"text\">run</th></tr></thead>\n<tbody>\n", f);
	for (i = 0; i < t->index->count; i++) {
		for (k = 0; k < INDEX_ENGINES; k++)
			if (t->read[i * INDEX_ENGINES + k])
				print_instance(f, t, i, k);
		print_missing(f, t, i);
	}
	fputs("</tbody></table></div>\n</section>\n", f);
}

static void
index_print_page(FILE *f, const struct index_table *t)
{
	index_print_head(f, t);
	index_print_cards(f, t);
	index_print_table(f, t);
	fputs("<footer>Each report has its own clocks. ipubox-profile(7) says "
	    "how the figures are worked out.</footer>\n</main>\n</body>\n"
	    "</html>\n", f);
}

/*
 * Under the lock of the directory: who reads the summaries last also writes
 * last.  Where the file system has no locks, or one that has it hangs, the page
 * may lack the instance that ended at the same moment.
 */
int
profile_index_write(const struct profile_index *index, struct error *e)
{
	struct file_set_entry	 file = { .path = index_name };
	struct index_table	 t = { .index = index };
	struct memstream	 m;
	char			*text;
	const int		 lock = open(index->directory, O_RDONLY |
	    O_DIRECTORY | O_CLOEXEC);
	int			 status;

	if (lock != -1)
		(void)collective_file_lock_directory(lock, INDEX_LOCK_SECONDS,
		    NULL);
	read_rows(&t);
	index_print_page(memstream_open(&m), &t);
	file.text = text = memstream_close(&m, &file.size);
	status = profile_files_write(index->directory, &file, 1, e);
	if (lock != -1)
		(void)close(lock);
	free(text);
	free(t.read);
	free(t.rows);
	return status;
}
