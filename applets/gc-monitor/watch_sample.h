/*
 * The IPUs of a pod's partitions and the programs that hold them, at one
 * moment: all that the live view shows.
 */
#ifndef APPLETS_GC_MONITOR_WATCH_SAMPLE_H
#define APPLETS_GC_MONITOR_WATCH_SAMPLE_H

#include "ipu/device/device.h"

enum { WATCH_NAME_SIZE = NAME_SIZE + 8 };

struct watch_ipu {
	char name[WATCH_NAME_SIZE]; /* "ag06:3" */
	int ipu;		    /* number in the pod */
	int id;			    /* device id in its partition */
	int partition;		    /* index in partitions[] */
	int process;		    /* index in processes[]; -1: free */
	bool measured;		    /* the load is known */
	bool monitored;		    /* power and temperature are known */
	bool failed;		    /* `word` names what is wrong */
	double load;		    /* in the last second, 0 to 1 */
	double memory;		    /* part of its memory in use, 0 to 1 */
	double power_w, die_c;
	uint8_t history[STATUS_HISTORY]; /* load in percent, the oldest first */
	char word[CONDITION_WORD_SIZE];
};

/* A program that holds IPUs. */
struct watch_process {
	bool here; /* the pid is valid on this host, and may get signals */
	int pid;
	int64_t attached_ns; /* CLOCK_REALTIME */
	int partition;	     /* of its first IPU */
	int count;	     /* number of IPUs */
	double load;	     /* sum over its IPUs */
	char user[SLOT_USER_SIZE];
	char host[SLOT_HOST_SIZE];
	char command[SLOT_COMMAND_SIZE];
};

struct watch_partition {
	char name[NAME_SIZE];
	int first, count; /* in ipus[] */
	int used;	  /* IPUs with a program */
};

struct watch_sample {
	int64_t now_ns; /* CLOCK_REALTIME */
	char pod[NAME_SIZE];
	char active[NAME_SIZE]; /* the partition that programs use, or "" */
	char warning[1100];	/* about the environment, or "" */
	int pod_ipus;
	int used; /* IPUs with a program */
	int count, process_count, partition_count;
	/* Owned.  IPUs stand by partition, and in it by id. */
	struct watch_ipu *ipus;
	struct watch_process *processes;
	struct watch_partition *partitions;
};

/* Copy the values that the view shows from a sample.  With `verbose`, copy
   whole command lines where the reader may see them, else the programs' names.
   The caller releases the copy. */
void watch_sample_init(struct watch_sample *, const struct sample *,
    bool verbose);
void watch_sample_release(struct watch_sample *);

#endif
