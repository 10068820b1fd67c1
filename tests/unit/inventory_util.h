/*
 * Changes of a pod as lines of text, for the tests of the inventory.
 */
#ifndef TESTS_UNIT_INVENTORY_UTIL_H
#define TESTS_UNIT_INVENTORY_UTIL_H

#include "core/pod/edit/edit.h"

/* What they work on. */
extern struct pod pod;
extern struct partition partitions[8];
extern struct inventory in;

/* An empty pod. */
void begin(void);

/*
 * "add cluster c agents=a1,a2 ilds=2", "update agent a port=1", "remove
 * allocation x", "add partition p cluster=c at=0 size=4" (without a rule).
 */
int run(const char *command, struct error *);

#endif
