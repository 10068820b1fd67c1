/*
 * The facts that vipu status shows, gathered before anything is printed.
 */
#ifndef APPLETS_VIPU_STATUS_H
#define APPLETS_VIPU_STATUS_H

#include "applets/vipu/vipu_internal.h"
#include "core/pod/capacity.h"

enum { STATUS_OWNER_SIZE = 64 };

/* The partitions of one owner. */
struct status_owner {
	char name[STATUS_OWNER_SIZE]; /* V-IPU user, else user of the host */
	const struct partition *like; /* one of them */
	int partitions, ipus;
	int attached; /* IPUs that programs hold */
};

struct status {
	struct snapshot snapshot;
	bool has_pod; /* false: the server reports only partitions */
	struct capacity *capacity;
	int capacity_count;
	/* In the order of their first partitions. */
	struct status_owner *owners;
	int owner_count;
	bool has_holders; /* `attached` of the owners is known */
	struct ticket *queue;
	long queue_count; /* -1: not known, `queue_error` says why */
	struct error queue_error;
	int size; /* of --size; 0: not given */
	bool has_place;
	struct placement place;
	struct error no_place; /* why a place is missing */
};

/* Print tables for people that fit the screen. */
void status_print(const struct status *, const struct table_screen *);

/* The forms for programs; the source is a struct status. */
extern const struct output_view status_view;

#endif
