/*
 * ipubox.conf: settings of a user or an administrator for all tools, in files
 * that count even where the environment is stripped, as under su(1) and
 * cron(8).  ipubox.conf(5) has the files, their sections and keys.  The user's
 * file wins; an option or variable with the same meaning overrides both files.
 *
 * To add a key: a name in enum settings_key, a member of struct file_settings,
 * and a row in settings.c.
 */
#ifndef CORE_STATE_SETTINGS_H
#define CORE_STATE_SETTINGS_H

#include <limits.h>

#include "core/state/paths.h"

enum settings_key {
	SETTINGS_STATE_DIRECTORY,
	SETTINGS_EMULATE_HOSTS,
	SETTINGS_EMULATE_SDK,
	SETTINGS_EMULATE_STRICT,
	SETTINGS_SDK_DIRECTORY,
	SETTINGS_MONITOR_SENSORS,
	SETTINGS_JOBS_HOST_PATHS,
	SETTINGS_JOBS_RESTART_DELAY,
	SETTINGS_USERS_SHARE_PARTITIONS,
	SETTINGS_VERSIONS, /* the first of one per enum versions_key */
	SETTINGS_KEYS = SETTINGS_VERSIONS + VERSIONS_KEYS
};

enum { SETTINGS_IMAGES_SIZE = 16384 };

/* The values, 0 or "" if unset; and for each key the place that set it. */
struct file_settings {
	char state_directory[REGISTRY_NAME_SIZE];
	bool emulate_hosts, emulate_strict;
	struct versions emulate_sdk;
	char versions[VERSIONS_KEYS][2 * VERSIONS_SIZE];
	char sdk_directory[REGISTRY_NAME_SIZE];
	bool monitor_sensors;
	char jobs_host_paths[REGISTRY_NAME_SIZE]; /* open to hostPath volumes */
	int64_t jobs_restart_delay_ms;
	bool users_share_partitions;
	char origins[SETTINGS_KEYS][STATE_ORIGIN_SIZE]; /* "FILE:LINE" */
	int lines[SETTINGS_KEYS]; /* in the file read last; 0: not in it */
	/* "NAME PLACE\n" for each.  It is last: bytes after its end are not
	   set. */
	char images[SETTINGS_IMAGES_SIZE];
};

/*
 * Fill the settings, which are unset without a file.  After -1 they must not be
 * used.  -1, with "FILE:LINE: text": an unknown section or key, a repeated one,
 * an invalid value.  -1, with other texts: a file that belongs to neither the
 * caller nor root, one that its group or others may write, an unreadable one,
 * and a missing one that $IPUBOX_CONFIG names.  These rules apply to the target
 * of a symbolic link.
 */
int settings_load(struct file_settings *, struct error *);

/*
 * settings_emulate_hosts() finds out whether every host that a command names is
 * this machine.  settings_emulate_sdk() finds the release that the tools
 * report; the files may override single versions of it.  The first source that
 * is set counts: the option (NULL: not given), the variable
 * (IPUBOX_EMULATE_HOSTS, IPUBOX_EMULATE_SDK; empty is unset), the files, the
 * default (no; versions_guide()).
 *
 * The origin, which may be NULL, is "--emulate-hosts" or "--emulate-sdk", the
 * variable, "FILE:LINE" or "default".  -1, ERROR_INVALID: an invalid option or
 * variable, which the text names; the origin is not set.  -1, other codes:
 * refused files; the result is filled in as without them.
 */
int settings_emulate_hosts(const char *option, bool *emulated,
    char origin[STATE_ORIGIN_SIZE], struct error *);
int settings_emulate_sdk(const char *option, struct versions *,
    char origin[STATE_ORIGIN_SIZE], struct error *);

/* Find out whether the files (default: no) make errors of what a Pod refuses
   (_strict); turn the sensors on; or let users change others' partitions.
   Variables are not read: gcda_options_read() reads those of the sensors.  -1:
   refused files, with the result false.  The origin is as above. */
int settings_strict(bool *, char origin[STATE_ORIGIN_SIZE], struct error *);
int settings_sensors(bool *read, char origin[STATE_ORIGIN_SIZE],
    struct error *);
int settings_share_partitions(bool *, struct error *);

/*
 * Find the SDK's directory for programs: from the option --sdk (NULL: not
 * given), IPUBOX_SDK or the files, with the origin as above; "" if unset or the
 * option is "".  -1, ERROR_INVALID: the path is too long.  -1, other codes:
 * refused files; the result is filled in as without them.
 */
int settings_sdk(const char *option, char directory[PATH_MAX],
    char origin[STATE_ORIGIN_SIZE], struct error *);

#endif
