/*
 * POPLAR_ENGINE_OPTIONS: a JSON object by which a program is told to write
 * profiles, and where.
 *
 * What is said there counts most; then comes what PopDist sets in a job that
 * was started with `poprun --autoreport-dir` (popdist::setEngineOptions), and
 * last what the program itself asks for (poptorch.Options.enableProfiling).
 *
 * Source: PopRun user guide 2.6; Poplar's engine options; PopTorch's
 * enableProfiling().
 */
#ifndef CORE_JOB_ENGINE_OPTIONS_H
#define CORE_JOB_ENGINE_OPTIONS_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/job/popdist.h"

#define ENGINE_OPTIONS_VARIABLE "POPLAR_ENGINE_OPTIONS"
#define AUTOREPORT_VARIABLE "POPDIST_AUTOREPORT_DIRECTORY"

/* PopTorch's warning, where `overridden` is set. */
#define ENGINE_OPTIONS_OVERRIDDEN \
	"Profiling setting overridden by environment variable. " \
	"Check content of POPLAR_ENGINE_OPTIONS."

enum { ENGINE_OPTIONS_PATH_SIZE = 1024 };

enum engine_setting { SETTING_NONE, SETTING_FALSE, SETTING_TRUE };

/* What an object of engine options says. */
struct engine_settings {
	enum engine_setting all;		  /* autoReport.all */
	enum engine_setting graph;		  /* .outputGraphProfile */
	enum engine_setting execution;		  /* .outputExecutionProfile */
	enum engine_setting out_of_memory;	  /* debug.allowOutOfMemory */
	bool profiling;				  /* any key of autoReport. but
						     the directory */
	char directory[ENGINE_OPTIONS_PATH_SIZE]; /* "": not said */
};

/*
 * Read an object; NULL and "" are an empty one.  A value is text, and may be a
 * boolean or a number too.  Refused, with the variable's name: what is not
 * a JSON object, a key twice, a value of another kind, and, in Poplar's words,
 * a key that is not Poplar's:
 * "invalid_option: Unrecognised option 'autoReport.al'".  Keys that are
 * Poplar's but mean nothing to an emulated IPU are accepted.
 */
int engine_options_parse_settings(struct engine_settings *, const char *text,
    struct error *);

/* Whether a text is a JSON object at all, whatever options it names; NULL and
   "" are. */
int engine_options_check(const char *text, struct error *);

/* What a program is to do. */
struct engine_options {
	bool graph_profile;	  /* of what was compiled: memory, plan */
	bool execution_profile;	  /* of what ran */
	bool allow_out_of_memory; /* a report is written all the same */
	bool overridden;	  /* warn: the program asked, the environment
				     says something else */
	char directory[ENGINE_OPTIONS_PATH_SIZE];
	char parent[ENGINE_OPTIONS_PATH_SIZE]; /* of all instances'
						  directories; "": it is not
						  one of several */
};

/*
 * `asked` is the directory where the program itself wants profiles, NULL when
 * it wants none; `parent` is POPDIST_AUTOREPORT_DIRECTORY, NULL outside such a
 * job.  In a job of several instances each has a directory of its own in
 * either, named by its index.  Refused: a path that is too long.
 */
int engine_options_resolve(struct engine_options *,
    const struct engine_settings *, const char *asked, const char *parent,
    const struct popdist *, struct error *);

/* Both, from the environment. */
int engine_options_read(struct engine_options *, const char *asked,
    const struct popdist *, struct error *);

/* The directory for profiles; NULL: none are to be written. */
const char *engine_options_directory(const struct engine_options *);

/*
 * Whether a text sets autoReport.directory.  It is searched for, not parsed:
 * as the guide writes such an object on a command line, the shell takes its
 * quotes away.
 */
bool engine_options_set_directory(const char *text);

#endif
