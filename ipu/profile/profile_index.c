/*
 * The page of a job's instances, from their summaries:
 *
 *	DIRECTORY/0/index.html
 *	DIRECTORY/0/training/report.html, summary.json ...
 *	DIRECTORY/1/training/...
 *
 * It is rewritten from the existing summaries whenever an instance begins or
 * ends a profile, so the last one leaves it complete in any order.  It stands
 * in the first instance's directory, because DIRECTORY contains nothing but a
 * directory for each instance (PopRun's guide, 2.6.2).
 */
#include "ipu/profile/profile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/base/formats/json.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/job/engine_options.h"
#include "ipu/profile/profile_internal.h"

enum {
	SUMMARY_MAX = 1 << 24, /* limit of a summary.json in bytes: 64 IPUs take
				  300 kB */
};

static const char index_name[] = "index.html";
/* Members of a summary that the page shows. */
static const char *const index_members[] = { "model", "command",
	"configuration", "run", "utilisation", "findings" };

bool
profile_index_add(yyjson_mut_doc *page, yyjson_mut_val *list, const char *name,
    const char *text, size_t size)
{
	yyjson_doc *doc = yyjson_read(text, size, 0);
	yyjson_val *root = yyjson_doc_get_root(doc), *member;
	const bool good = yyjson_is_obj(yyjson_obj_get(root, "run"));
	yyjson_mut_val *copy;
	size_t i;

	if (good) {
		copy = yyjson_mut_obj(page);
		for (i = 0; i < ARRAY_SIZE(index_members); i++) {
			member = yyjson_obj_get(root, index_members[i]);
			if (member != NULL)
				(void)yyjson_mut_obj_add_val(page, copy,
				    index_members[i],
				    yyjson_val_mut_copy(page, member));
		}
		(void)yyjson_mut_obj_add(list, yyjson_mut_strcpy(page, name),
		    copy);
	}
	yyjson_doc_free(doc);
	return good;
}

/* Add the summaries of an instance, "training" before "inference". */
static void
add_instance(yyjson_mut_doc *page, yyjson_mut_val *list, const char *directory,
    int instance)
{
	char *above = xasprintf("%s/%d", directory, instance);
	char **engines = NULL, *path, *name, *text;
	struct directory d;
	size_t size;
	long count = 0, i;

	if (directory_open(&d, above, NULL) == 0)
		count = directory_names(&d, "", &engines, NULL);
	for (i = count - 1; i >= 0; i--) {
		if (name_check("engine", engines[i], NULL) != 0)
			continue;
		path = xasprintf("%s/%s/summary.json", above, engines[i]);
		name = xasprintf("%d.%s", instance, engines[i]);
		text = file_read(path, SUMMARY_MAX, &size, NULL);
		if (text != NULL)
			(void)profile_index_add(page, list, name, text, size);
		free(text);
		free(name);
		free(path);
	}
	if (count >= 0)
		directory_names_free(engines, count);
	directory_close(&d);
	free(above);
}

/* Print {"job": ...}, the data that config/report draws the page from.  If
   replicas are spread unevenly, the directories have the numbers of replicas,
   and numbers are missing between them. */
static void
index_print_page(FILE *f, const char *directory, const struct popdist *p)
{
	const bool gaps = p->num_instances == 0;
	const int count = gaps ? p->num_total_replicas : p->num_instances;
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc), *job, *list;
	char *text;
	int i;

	yyjson_mut_doc_set_root(doc, root);
	job = yyjson_mut_obj_add_obj(doc, root, "job");
	(void)yyjson_mut_obj_add_str(doc, job, "version", IPUBOX_VERSION);
	(void)yyjson_mut_obj_add_int(doc, job, "count", count);
	(void)yyjson_mut_obj_add_bool(doc, job, "gaps", gaps);
	list = yyjson_mut_obj_add_obj(doc, job, "summaries");
	for (i = 0; i < count; i++)
		add_instance(doc, list, directory, i);
	text = json_text(doc);
	report_page(f, text);
	free(text);
}

/* Locks the directory: the last to read the summaries is the last to write.
   Without locks the page may lack an instance that ended at the same moment. */
int
profile_index_write(const char *directory, const struct popdist *p,
    struct error *e)
{
	struct file_set_entry file = { .path = index_name };
	struct memstream m;
	char *first = xasprintf("%s/0", directory), *text;
	const int lock = profile_files_lock(directory);
	int status = 0;

	index_print_page(memstream_open(&m), directory, p);
	file.text = text = memstream_close(&m, &file.size);
	if (access(first, F_OK) == 0)
		status = profile_files_write(first, &file, 1, e);
	if (lock != -1)
		(void)close(lock);
	free(text);
	free(first);
	return status;
}

int
profile_index_write_job(const char *directory, struct error *e)
{
	const struct engine_settings unset = { .all = SETTING_NONE };
	const char *parent = getenv(AUTOREPORT_VARIABLE);
	struct engine_options o;
	struct popdist p;

	if (parent == NULL || *parent == '\0')
		return 0;
	if (popdist_read(&p, e) != 0 ||
	    (p.is_set &&
		engine_options_resolve(&o, &unset, NULL, parent, &p, e) != 0))
		return -1;
	if (!p.is_set || strcmp(o.directory, directory) != 0)
		return 0;
	return profile_index_write(parent, &p, e);
}
