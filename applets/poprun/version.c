/*
 * Versions of poprun and of the programs that it works with.
 */
#include "applets/poprun/poprun.h"

#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "core/base/formats/json.h"
#include "core/pod/pod.h"
#include "core/process/process.h"

static const char version_absent[] = "not found in PATH";

/* Return the path of mpirun for a launch; the caller frees it. */
static char *
find_mpirun(void)
{
	char *path = NULL;

	return program_find("mpirun", getenv("PATH"), &path, NULL) == 0 ?
	    path :
	    NULL;
}

int
version_print(const struct applet *applet, enum version_format format)
{
	yyjson_mut_doc *doc;
	yyjson_mut_val *root;
	char *mpirun = format == VERSION_TEXT ? NULL : find_mpirun();
	const char *where = mpirun != NULL ? mpirun : version_absent;
	const char *number = IPUBOX_VERSION;
	struct versions versions;
	bool emulated;

	if (applet_versions(applet, &versions) != EXIT_DONE) {
		free(mpirun);
		return EXIT_FAILED;
	}
	emulated = strcmp(versions.name, "guide") != 0;
	if (emulated)
		number = versions.sdk;
	if (format == VERSION_TEXT && !emulated)
		return applet_version(applet);
	if (format == VERSION_TEXT) {
		printf("PopRun %s\n", number);
		return EXIT_DONE;
	}
	if (format == VERSION_FULL_TEXT) {
		printf("PopRun: %s\nPopDist: %s\nmpirun: %s\n", number, number,
		    where);
		free(mpirun);
		return EXIT_DONE;
	}
	doc = yyjson_mut_doc_new(NULL);
	root = yyjson_mut_obj(doc);
	yyjson_mut_doc_set_root(doc, root);
	(void)yyjson_mut_obj_add_strcpy(doc, root, "PopRun", number);
	(void)yyjson_mut_obj_add_strcpy(doc, root, "PopDist", number);
	(void)yyjson_mut_obj_add_strcpy(doc, root, "mpirun", where);
	json_print(stdout, doc);
	free(mpirun);
	return EXIT_DONE;
}
