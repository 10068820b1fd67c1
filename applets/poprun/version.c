/*
 * What poprun says of its version and of those that it works with.
 */
#include "applets/poprun/version.h"

#include <stdlib.h>
#include <yyjson.h>

#include "core/base/json.h"
#include "core/process/program.h"

static const char	version_absent[] = "not found in PATH";

/* The path of the mpirun that a launch would use; the caller frees it. */
static char *
find_mpirun(void)
{
	char	*path = NULL;

	return program_find("mpirun", getenv("PATH"), &path, NULL) == 0 ?
	    path : NULL;
}

int
version_print(const struct applet *applet, enum version_format format)
{
	yyjson_mut_doc	*doc;
	yyjson_mut_val	*root;
	char		*mpirun = format == VERSION_TEXT ? NULL :
	    find_mpirun();
	const char	*where = mpirun != NULL ? mpirun : version_absent;

	if (format == VERSION_TEXT)
		return applet_version(applet);
	if (format == VERSION_FULL_TEXT) {
		printf("PopRun: %s\nPopDist: %s\nmpirun: %s\n",
		    IPUBOX_VERSION, IPUBOX_VERSION, where);
		free(mpirun);
		return EXIT_DONE;
	}
	doc = yyjson_mut_doc_new(NULL);
	root = yyjson_mut_obj(doc);
	yyjson_mut_doc_set_root(doc, root);
	(void)yyjson_mut_obj_add_str(doc, root, "PopRun", IPUBOX_VERSION);
	(void)yyjson_mut_obj_add_str(doc, root, "PopDist", IPUBOX_VERSION);
	(void)yyjson_mut_obj_add_strcpy(doc, root, "mpirun", where);
	json_print(stdout, doc);
	free(mpirun);
	return EXIT_DONE;
}
