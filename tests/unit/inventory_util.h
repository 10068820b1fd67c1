/*
 * Changes of a pod as lines of text, for tests of the inventory.
 */
#ifndef TESTS_UNIT_INVENTORY_UTIL_H
#define TESTS_UNIT_INVENTORY_UTIL_H

#include "core/pod/edit/edit.h"

/* The pod that they change. */
extern struct pod pod;
extern struct partition partitions[8];
extern struct inventory in;

/* Begin with an empty pod. */
void begin(void);

/* Run "add cluster c agents=a1,a2 ilds=2", "update agent a port=1", "remove
   allocation x", "add partition p cluster=c at=0 size=4" (unchecked). */
int run(const char *command, struct error *);

#endif
