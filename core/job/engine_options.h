/*
 * POPLAR_ENGINE_OPTIONS: a JSON object that tells a program whether and where
 * to write profiles.
 *
 * The object takes precedence over the settings of PopDist in a job started
 * with `poprun --autoreport-dir` (popdist::setEngineOptions), and these over
 * the program's request (poptorch.Options.enableProfiling).
 *
 * Source: PopRun user guide 2.6; Poplar's engine options; PopTorch's
 * enableProfiling().
 */
#ifndef CORE_JOB_ENGINE_OPTIONS_H
#define CORE_JOB_ENGINE_OPTIONS_H

#include "core/job/popdist.h"

#define ENGINE_OPTIONS_VARIABLE "POPLAR_ENGINE_OPTIONS"
#define AUTOREPORT_VARIABLE "POPDIST_AUTOREPORT_DIRECTORY"

enum { ENGINE_OPTIONS_PATH_SIZE = 1024 };

enum engine_setting { SETTING_NONE, SETTING_FALSE, SETTING_TRUE };

/* Settings in an object of engine options. */
struct engine_settings {
	enum engine_setting all;		  /* autoReport.all */
	enum engine_setting graph;		  /* .outputGraphProfile */
	enum engine_setting execution;		  /* .outputExecutionProfile */
	enum engine_setting out_of_memory;	  /* debug.allowOutOfMemory */
	bool profiling;				  /* any "autoReport." key
						     except the directory */
	char directory[ENGINE_OPTIONS_PATH_SIZE]; /* "": not set */
};

/*
 * Parse an object; NULL and "" are empty ones.  The enum engine_settings take
 * "true", "false" or a boolean.  Poplar's other keys are accepted without
 * effect; they take a text, a boolean or a number.
 *
 * -1, and the settings are empty: not a JSON object, a repeated key, a value of
 * another kind, an empty or too long directory, or a key that Poplar does not
 * have: "POPLAR_ENGINE_OPTIONS: invalid_option: Unrecognised option
 * 'autoReport.al'".
 */
int engine_options_parse_settings(struct engine_settings *, const char *text,
    struct error *);

/* Check that a text is a JSON object, whatever its options; NULL and "" are. */
int engine_options_check(const char *text, struct error *);

/* Resolved options for a program. */
struct engine_options {
	bool graph_profile;	  /* of the compiled graph: memory, plan */
	bool execution_profile;	  /* profile of the run */
	bool allow_out_of_memory; /* report a model that does not fit into
				     memory; default: true */
	bool overridden;	  /* the environment overrides the program: the
				     caller should warn */
	char directory[ENGINE_OPTIONS_PATH_SIZE];
	/* The directory of all instances' directories; "": `directory` does not
	   depend on the instance. */
	char parent[ENGINE_OPTIONS_PATH_SIZE];
};

/*
 * Resolve the options.  `asked` is the program's directory for profiles, or
 * NULL; `parent` is POPDIST_AUTOREPORT_DIRECTORY, NULL outside such a job.  A
 * profile that the settings leave open is on with `asked`, and with `parent`
 * unless `profiling` is set.  The directory is the first one set of
 * autoReport.directory, `parent`, `asked` and ".".  Below `parent`, and in a
 * job of several instances below `asked` and ".", each instance has a directory
 * named by its index or, with uneven shares, its first replica.  Creates none.
 * -1: the path is too long.
 */
int engine_options_resolve(struct engine_options *,
    const struct engine_settings *, const char *asked, const char *parent,
    const struct popdist *, struct error *);

/* Parse and resolve the environment's options; `asked` as above. */
int engine_options_read(struct engine_options *, const char *asked,
    const struct popdist *, struct error *);

/* Return `directory`, or NULL if both profiles are off. */
const char *engine_options_directory(const struct engine_options *);

/* Whether a text sets autoReport.directory.  This searches without parsing: in
   the guide's way of writing such an object on a command line, the shell
   removes its quotes. */
bool engine_options_set_directory(const char *text);

#endif
