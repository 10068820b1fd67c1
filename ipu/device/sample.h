/*
 * A sample: the values of all IPUs of a pod at one moment, and the programs
 * that hold them.  It is read from one consistent copy of the registry, so
 * partitions, holders and readings belong together, whatever changes meanwhile.
 *
 *	struct sample		s = { .now_ns = 0 };
 *
 *	device_look_open(&s.look, true, &e);
 *	sample_read(&s);
 *	for (ipu = 0; ipu < s.ipu_count; ipu++)
 *		... s.ipus[ipu].sensors.recent ...
 *	sample_release(&s);
 */
#ifndef IPU_DEVICE_SAMPLE_H
#define IPU_DEVICE_SAMPLE_H

#include "ipu/device/status.h"
#include "ipu/device/visible_devices.h"

enum { SAMPLE_NONE = -1 };

/* The job that a partition was made for: the number of a job of Slurm, or the
   name of an IPUJob and its namespace.  "": neither. */
struct sample_job {
	char name[OWNER_TEXT_SIZE];
	char name_space[OWNER_TEXT_SIZE];
};

/* Read the job from the owner's record; the partition may be NULL. */
void sample_job(struct sample_job *, const struct partition *);

/* A program that holds IPUs; texts are safe for a terminal. */
struct sample_holder {
	bool is_here;  /* `pid` means a process of the reader's host */
	bool is_known; /* it described itself; else pid, time and texts about
			  it are 0 or "" */
	int pid;
	int64_t attached_ns; /* time since it attached; 0: unknown */
	int ipu_count;	     /* number of IPUs that it holds */
	char user[SLOT_USER_SIZE];
	char host[SLOT_HOST_SIZE];
	char program[SLOT_COMMAND_SIZE]; /* name alone */
	/* Whole command line if the reader may see it, else the name. */
	char command[SLOT_COMMAND_SIZE];
	struct sample_job job; /* owner of the partition, if a job owns it */
	int next;	       /* private */
};

/* An IPU; its index in the array is its number in the pod. */
struct sample_ipu {
	int partition;	/* index in the snapshot's partitions, or SAMPLE_NONE */
	int routing_id; /* in the partition, from 0 */
	int gcd;	/* index in the partition, from 0 */
	int holder;	/* index in holders[], or SAMPLE_NONE */
	bool monitored; /* power and temperatures are valid */
	uint32_t soc_errors;   /* set of errors (core/pod/pod.h) */
	uint64_t memory_bytes; /* in use by the program; 0: unknown, or free */
	struct sensors sensors;
	double board_c; /* temperature of its board */
	double board_w; /* power of its board */
};

struct sample {
	struct device_look look; /* owned: pod, partitions, active partition */
	int64_t now_ns;		 /* moment of the look, CLOCK_REALTIME */
	struct holder_place place; /* place of the reader */
	struct sample_ipu *ipus;   /* owned */
	int ipu_count;
	struct sample_holder *holders; /* owned; in the order of their IPUs */
	int holder_count;
};

/* Read the values of `look`, which the caller has opened; the other members are
   0.  The caller releases the sample, and so the look. */
void sample_read(struct sample *);
void sample_release(struct sample *);

/* Return the pod, a partition by index, an IPU's machine. */
const struct pod *sample_pod(const struct sample *);
const struct partition *sample_partition(const struct sample *, int index);
const struct agent *sample_machine(const struct sample *, int ipu);

/* Return the holder of an IPU, or NULL. */
const struct sample_holder *sample_holder(const struct sample *, int ipu);

/* Find the condition of an IPU at the sample's moment. */
struct condition;
void sample_condition(const struct sample *, int ipu, struct condition *);

/*
 * List IPUs in the order of the device ids of gc-info and gc-monitor: those of
 * the active partition or GCD or, with `all`, of all partitions by name.  The
 * list has numbers in the pod; an IPU's index in it is its id.  Returns their
 * count; the caller frees *ipus.
 */
int sample_list(const struct sample *, bool all, int **ipus);

#endif
