/*
 * The Poplar SDK release that the tools report, and the layout of their lists.
 * ipubox-versions(7) has the same table for people; a test compares the two.
 *
 * `guide`, the default, is what the published guides print; its numbers are of
 * several releases.  `2.x` and `3.x` are the newest release of that line.  A
 * version such as 3.3.0 selects the last row of its line at or before it, and
 * replaces that row's `sdk`: 2.3.1 is in row 2.3, 2.5 in row 2.4, 2.6 in row
 * 2.x.
 *
 * Source: the V-IPU guide 5, the PopRun guide 2.10.1, the release notes of the
 * SDK and of the IPU-Machine software, output that users published.
 */
#ifndef CORE_POD_VERSIONS_H
#define CORE_POD_VERSIONS_H

#include <stdbool.h>

#include "core/base/error.h"

enum { VERSIONS_SIZE = 16 }; /* text of one version */

/* Layouts of a list by age; not every list has all of them. */
enum versions_layout {
	VERSIONS_OLD,
	VERSIONS_MID,
	VERSIONS_NEW,
	VERSIONS_LATEST /* gc-monitor only */
};

struct versions {
	const char *name;	 /* name of the row: "guide", "2.x", "3.x" */
	char sdk[VERSIONS_SIZE]; /* poprun, gc-info and the like */
	const char *vipu;	 /* V-IPU; NULL: the version of ipubox */
	char driver[VERSIONS_SIZE];
	char firmware[VERSIONS_SIZE];
	char gateway[VERSIONS_SIZE];
	char machine[VERSIONS_SIZE]; /* IPU-Machine's software */
	char ipuof_server[VERSIONS_SIZE];
	enum versions_layout partitions;       /* vipu list partitions */
	enum versions_layout admin_partitions; /* vipu-admin list partitions */
	/*
	 * gc-info -l: OLD "type:    [Fabric], PCI Domain: [3]"; MID an empty
	 * line below the head, "target: [Fabric], PCI Domain: [3]"; NEW the
	 * partition below the head, "target: [Fabric], IPU-M host: ...".
	 */
	enum versions_layout gc_info;
	/* Attributes of an IPU: MID those of driver 1.0.56, NEW the newest ones
	   ("board variant", "link speed: 16.0 GT/s", ...). */
	enum versions_layout attributes;
	/* MID 103 columns, NEW 98, LATEST 99: Type has 7 columns. */
	enum versions_layout gc_monitor;
	int process_columns; /* gc-monitor: least width of the processes */
	bool gcd_title;	     /* gc-monitor prints "(gcd:0)" */
	bool machine_hidden; /* gc-monitor: column IPU-M SW is blank */
	bool one_cache;	     /* poprun refuses its cache option beside the
				framework's */
};

/* "old", "mid", "new", "latest": also the words of --style. */
extern const char *const versions_layout_words[];

/* Return row `index`, from 0, or NULL after the last. */
const struct versions *versions_at(int index);

/* Fill in the default row, "guide". */
void versions_guide(struct versions *);

/* Fill in the row of that name, or the one that this version selects, as
   described above.  `what` begins the message.  -1, ERROR_INVALID: neither a
   name nor a version of a known line. */
int versions_find(const char *what, const char *name, struct versions *,
    struct error *);

/* Single versions that replace those of the row, by their words:
   "machine-software", "server-version", "firmware", "driver", "gateway". */
enum versions_key {
	VERSIONS_MACHINE,
	VERSIONS_SERVER,
	VERSIONS_FIRMWARE,
	VERSIONS_DRIVER,
	VERSIONS_GATEWAY,
	VERSIONS_KEYS
};
extern const char *const versions_key_words[];

/* Parse a version such as 2.5.0, or "none", which gives "".  -1, ERROR_INVALID:
   another text; its message begins with the key's word. */
int versions_parse(enum versions_key, const char *text,
    char value[VERSIONS_SIZE], struct error *);
/* Replace that version of the row; "" for none.  VERSIONS_MACHINE also clears
   machine_hidden. */
void versions_set(struct versions *, enum versions_key, const char *value);

#endif
