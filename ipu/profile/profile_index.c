/*
 * The page of a job's instances, from their summaries:
 *
 *	DIRECTORY/index.html
 *	DIRECTORY/0/training/report.html, summary.json ...
 *	DIRECTORY/1/training/...
 *
 * It is rewritten from the existing summaries whenever an instance begins or
 * ends a profile, so the last one leaves it complete in any order.
 */
#include "ipu/profile/profile.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/formats/json.h"
#include "core/base/text.h"
#include "core/collective/collective_way.h"
#include "ipu/profile/profile_internal.h"

enum {
	SUMMARY_MAX = 1 << 24, /* limit of a summary.json in bytes: 64 IPUs take
				  300 kB */
	INDEX_LOCK_SECONDS = 5
};

static const char index_name[] = "index.html";
static const char *const index_engines[] = { "training", "inference" };
/* Members of a summary that the page shows. */
static const char *const index_members[] = { "model", "command", "run",
	"utilisation", "findings" };

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

static void
add_instance(yyjson_mut_doc *page, yyjson_mut_val *list, const char *directory,
    int instance)
{
	char *path, *name, *text;
	size_t size, i;

	for (i = 0; i < ARRAY_SIZE(index_engines); i++) {
		path = xasprintf("%s/%d/%s/summary.json", directory, instance,
		    index_engines[i]);
		name = xasprintf("%d.%s", instance, index_engines[i]);
		text = file_read(path, SUMMARY_MAX, &size, NULL);
		if (text != NULL)
			(void)profile_index_add(page, list, name, text, size);
		free(text);
		free(name);
		free(path);
	}
}

/* Print {"job": ...}, the data that config/report draws the page from. */
static void
index_print_page(FILE *f, const struct profile_index *index)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc), *job, *list;
	char *text;
	int i;

	yyjson_mut_doc_set_root(doc, root);
	job = yyjson_mut_obj_add_obj(doc, root, "job");
	(void)yyjson_mut_obj_add_str(doc, job, "version", IPUBOX_VERSION);
	(void)yyjson_mut_obj_add_int(doc, job, "count", index->count);
	(void)yyjson_mut_obj_add_bool(doc, job, "gaps", index->gaps);
	list = yyjson_mut_obj_add_obj(doc, job, "summaries");
	for (i = 0; i < index->count; i++)
		add_instance(doc, list, index->directory, i);
	text = json_text(doc);
	report_page(f, text);
	free(text);
}

/* Locks the directory: the last to read the summaries is the last to write.  If
   the file system's locks are missing or hang, the page may lack an instance
   that ended at the same moment. */
int
profile_index_write(const struct profile_index *index, struct error *e)
{
	struct file_set_entry file = { .path = index_name };
	struct memstream m;
	char *text;
	const int lock = open(index->directory,
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int status;

	if (lock != -1)
		(void)collective_file_lock_directory(lock, INDEX_LOCK_SECONDS,
		    NULL);
	index_print_page(memstream_open(&m), index);
	file.text = text = memstream_close(&m, &file.size);
	status = profile_files_write(index->directory, &file, 1, e);
	if (lock != -1)
		(void)close(lock);
	free(text);
	return status;
}
