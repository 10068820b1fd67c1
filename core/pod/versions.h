/*
 * Which release of the Poplar SDK the tools say they are of, and in which
 * layout their lists are printed: the one table of it.  ipubox-versions(7) is
 * the same table for people; a test compares the two.
 *
 * `guide`, the default, is what the published guides print, each tool for
 * itself, so its numbers are of several releases.  `2.x` and `3.x` are the
 * newest release of that line.  A version, as 3.3.0, is the last row that began
 * with it or before it, with that number: 2.3.1 is row 2.3, 2.5 is row 2.4, 2.6
 * is row 2.x.
 *
 * Source: the V-IPU guide 5, the PopRun guide 2.10.1, the release notes of the
 * SDK and of the IPU-Machine software, output that users published.
 */
#ifndef CORE_POD_VERSIONS_H
#define CORE_POD_VERSIONS_H

#include <stdbool.h>

#include "core/base/error.h"

enum { VERSIONS_SIZE = 16 }; /* of one version's text */

/* The layouts of one list, by age; not every list has all of them. */
enum versions_layout {
	VERSIONS_OLD,
	VERSIONS_MID,
	VERSIONS_NEW,
	VERSIONS_LATEST /* of gc-monitor alone */
};

struct versions {
	const char *name;	 /* of the row: "guide", "2.x", "3.x" */
	char sdk[VERSIONS_SIZE]; /* poprun, gc-info and the like */
	const char *vipu;	 /* V-IPU; NULL: ipubox says its own */
	char driver[VERSIONS_SIZE];
	char firmware[VERSIONS_SIZE];
	char gateway[VERSIONS_SIZE];
	char machine[VERSIONS_SIZE]; /* IPU-Machine's software */
	char ipuof_server[VERSIONS_SIZE];
	enum versions_layout partitions; /* vipu list partitions */
	/*
	 * gc-info -l: OLD "type:    [Fabric], PCI Domain: [3]"; MID an empty
	 * line below the head, "target: [Fabric], PCI Domain: [3]"; NEW the
	 * partition below the head, "target: [Fabric], IPU-M host: ...".
	 */
	enum versions_layout gc_info;
	/*
	 * The attributes of an IPU: MID those of driver 1.0.56, NEW the newest
	 * ones ("board variant", "link speed: 16.0 GT/s", ...).
	 */
	enum versions_layout attributes;
	/* MID 103 columns, NEW 98, LATEST 99: Type has 7 columns. */
	enum versions_layout gc_monitor;
	bool gcd_title;	     /* it says "(gcd:0)" */
	bool machine_hidden; /* its IPU-M SW is blank */
	bool one_cache;	     /* poprun refuses a cache of its own and one of the
				framework */
};

/* "old", "mid", "new", "latest": also the words of --style. */
extern const char *const versions_layout_words[];

/* The rows in their order, from 0 on; NULL behind the last one. */
const struct versions *versions_at(int index);

/* The default. */
void versions_guide(struct versions *);

/*
 * A row by its name, or by a version of its line.  `what` says in the message
 * where it was said.  ERROR_INVALID for what is neither.
 */
int versions_find(const char *what, const char *name, struct versions *,
    struct error *);

/*
 * Other numbers than those of the row, one by one; VERSIONS_KEYS by their
 * words: "machine-software", "server-version", "firmware", "driver", "gateway".
 */
enum versions_key {
	VERSIONS_MACHINE,
	VERSIONS_SERVER,
	VERSIONS_FIRMWARE,
	VERSIONS_DRIVER,
	VERSIONS_GATEWAY,
	VERSIONS_KEYS
};
extern const char *const versions_key_words[];

/* A version, as 2.5.0, or "none", which is ""; ERROR_INVALID for the rest. */
int versions_parse(enum versions_key, const char *text,
    char value[VERSIONS_SIZE], struct error *);
/* Put it over the row's. */
void versions_set(struct versions *, enum versions_key, const char *value);

#endif
