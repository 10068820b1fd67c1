/*
 * ipubox.conf: what a user or an administrator sets for all tools at once, in
 * files that also count where the environment is stripped, as under su(1) and
 * cron(8).
 *
 *	[state]
 *	directory = /srv/ipubox
 *
 *	[emulate]
 *	hosts = yes
 *	sdk = 3.3.0
 *	machine-software = 2.5.0
 *
 *	[sdk]
 *	directory = /opt/ipubox-sdk
 *
 *	[monitor]
 *	sensors = yes
 *
 *	[jobs]
 *	host-paths = /srv/data
 *
 *	[images]
 *	image = graphcore/pytorch:3.3.0 /srv/images/pytorch
 *
 * The file is the one that $IPUBOX_CONFIG names ("/dev/null": none at all),
 * else both $XDG_CONFIG_HOME/ipubox/ipubox.conf (~/.config/ipubox/ipubox.conf)
 * and /etc/ipubox.conf: of a key that stands in both, the user's counts.  An
 * option or a variable of the same meaning comes before any file.
 *
 * A new key: a name in enum settings_key, a member of struct file_settings,
 * and a row in settings.c.
 */
#ifndef CORE_STATE_SETTINGS_H
#define CORE_STATE_SETTINGS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/pod/pod.h"
#include "core/state/paths.h"
#include "core/state/registry.h"

enum settings_key {
	SETTINGS_STATE_DIRECTORY,
	SETTINGS_EMULATE_HOSTS,
	SETTINGS_EMULATE_SDK,
	SETTINGS_SDK_DIRECTORY,
	SETTINGS_MONITOR_SENSORS,
	SETTINGS_JOBS_HOST_PATHS,
	SETTINGS_JOBS_RESTART_DELAY,
	SETTINGS_VERSIONS, /* of enum versions_key, one after another */
	SETTINGS_KEYS = SETTINGS_VERSIONS + VERSIONS_KEYS
};

enum { SETTINGS_IMAGES_SIZE = 16384 };

/* What the files say, and where: "/etc/ipubox.conf:3"; "" where they do not. */
struct file_settings {
	char state_directory[REGISTRY_NAME_SIZE];
	bool emulate_hosts;
	struct versions emulate_sdk;
	char versions[VERSIONS_KEYS][2 * VERSIONS_SIZE];
	char sdk_directory[REGISTRY_NAME_SIZE];
	bool monitor_sensors;
	char jobs_host_paths[REGISTRY_NAME_SIZE];
	int64_t jobs_restart_delay_ms;
	char images[SETTINGS_IMAGES_SIZE]; /* "NAME PLACE\n" of each */
	char origins[SETTINGS_KEYS][STATE_ORIGIN_SIZE];
	int lines[SETTINGS_KEYS]; /* in the file read last */
};

/*
 * Fill the settings; none where there is no file.  Refused with "FILE:LINE:
 * text": an unknown section or key, one that stands twice, a value that is not
 * valid.  Refused as well: a file that belongs to neither the caller nor root,
 * one that its group or others may write, one that cannot be read, and one that
 * $IPUBOX_CONFIG names and that is not there.  A symbolic link is followed; the
 * rules are for the file that it leads to.
 */
int settings_load(struct file_settings *, struct error *);

/*
 * Whether every host that is named is this machine; and the release that the
 * tools say they are of, with the single versions that files put over it,
 * whatever chose the release.  Each from the option's value (NULL: it was not
 * given), else its variable (IPUBOX_EMULATE_HOSTS, IPUBOX_EMULATE_SDK; an
 * empty one says nothing), else the files, else the default: no; the guide.
 *
 * The origin is "--emulate-hosts" or "--emulate-sdk", the variable,
 * "FILE:LINE" or "default"; it may be NULL.  ERROR_INVALID for a value of the
 * option or the variable that is not valid, with its name.  Files that are
 * refused are an error too, of another code; what counts without them is
 * filled in then.
 */
int settings_emulate_hosts(const char *option, bool *emulated,
    char origin[STATE_ORIGIN_SIZE], struct error *);
int settings_emulate_sdk(const char *option, struct versions *,
    char origin[STATE_ORIGIN_SIZE], struct error *);

/*
 * Whether the files have the sensors read, where no variable says
 * (core/state/gcda_options.h): the default is no.  Files that are refused are
 * an error, with false filled in.
 */
int settings_sensors(bool *read, char origin[STATE_ORIGIN_SIZE],
    struct error *);

/*
 * The directory of the SDK for programs, in the same way from "--sdk", from
 * IPUBOX_SDK or from the files; "" where none is said, or the option is "".
 * Files that are refused are an error, with "" filled in.
 */
int settings_sdk(const char *option, char directory[PATH_MAX],
    char origin[STATE_ORIGIN_SIZE], struct error *);

#endif
