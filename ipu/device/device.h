/*
 * Emulated IPUs as programs and tools see them: the devices and their holders,
 * attaching, the output of gc-info and gc-monitor, and the errors of programs
 * that lose their IPUs.
 *
 * Read first: device_list.h (devices and their ids), visible_devices.h (the
 * partition that a program sees), then attach.h and attach_local.c.
 */
#ifndef IPU_DEVICE_DEVICE_H
#define IPU_DEVICE_DEVICE_H

#include <stdio.h>
#include <yyjson.h>

#include "core/state/state.h"
#include "ipu/device/attach.h"		/* attaching a program to a device */
#include "ipu/device/device_list.h"	/* devices and their ids */
#include "ipu/device/listing.h"		/* the listings of gc-info */
#include "ipu/device/poptorch.h"	/* PopTorch's variables and errors */
#include "ipu/device/recording.h"	/* files of what was seen over time */
#include "ipu/device/sample.h"		/* values of all IPUs at one moment */
#include "ipu/device/status.h"		/* holder and sensors of an IPU */
#include "ipu/device/tile_state.h"	/* inspecting a free IPU */
#include "ipu/device/visible_devices.h" /* the partition of a program */

/*
 * The attributes of a device, as `gc-info --device-info` prints them.  Names
 * and texts have the form that programs parse ("1330MHz", "29.6 C", "0.00%",
 * "N/A").  The release decides which attributes exist (core/pod/pod.h).
 */

enum { ATTRIBUTES_MAX = 64 };

struct attribute {
	const char *key;
	const char *value; /* in texts[], or constant */
};

/* Holds pointers into itself: do not copy it. */
struct attributes {
	int count;
	struct attribute rows[ATTRIBUTES_MAX];
	char texts[ATTRIBUTES_MAX][SLOT_COMMAND_SIZE];
};

/* Return "16 GT/s", or "16.0 GT/s" for the newest releases. */
const char *attributes_link_speed(const struct versions *);
#define ATTRIBUTES_LINK_WIDTH "8"

/* Read all attributes of a device: id and target first, the others sorted by
   name (capitals before small letters).  now_ns is CLOCK_REALTIME.  With
   `monitor`, read the sensors even if the holder did not ask for it. */
void attributes_read(struct attributes *, const struct registry *,
    const struct pod *, const struct partition *, const struct device *,
    int64_t now_ns, bool monitor, const struct versions *);

/* Read the attributes of an IPU of the pod, whether or not a partition has it,
   sorted by name.  `vipu list ipu-attrs` prints them. */
void attributes_read_ipu(struct attributes *, const struct registry *,
    const struct pod *, int ipu, int64_t now_ns, bool monitor,
    const struct versions *);

/* Return the value, or NULL if the device has no such attribute. */
const char *attributes_get(const struct attributes *, const char *key);

/* Print the attributes as lines "  NAME: VALUE". */
void attributes_put(const struct attributes *, FILE *);
/* Copy the attributes into a JSON object as strings. */
void attributes_put_json(const struct attributes *, yyjson_mut_doc *,
    yyjson_mut_val *object);

/*
 * The services that hold devices (ipubox.v1.LeaseService), or reset and inspect
 * them, for programs that may not write the registry or run elsewhere.
 */

enum {
	LEASE_SERVICE_METHODS = 1,
	LEASE_SERVICE_MAX = 960, /* with waiting ones; 2 descriptors each */
	LEASE_SERVICE_USER_MAX = 240,  /* of each local user except root */
	LEASE_SERVICE_REMOTE_MAX = 720 /* of all TCP callers together */
};

struct lease_service;

struct lease_service_options {
	void *owner; /* first argument of these functions */
	/* Returns 0 if the caller may use devices of the named partition and
	   fills in the caller (user "": unknown), or -1 with the reason.
	   Called before each look at the partition.  With a NULL name it
	   says only whether the caller is a user.  If `allows` is NULL,
	   every caller may. */
	int (*allows)(void *owner, struct rpc_call *,
	    const struct visible_name *, struct caller *, struct error *);
	/* Does login_recheck().  NULL: callers are not checked again. */
	int (*admits)(void *owner, const struct caller *, const char *partition,
	    struct error *);
	/* Logs a sentence about a lease that begins or ends, or a reset; may be
	   NULL. */
	void (*note)(void *owner, struct rpc_call *, const char *text);
};

/* Return true if the caller is a user, before its message is decoded; else
   refuse the call and return false. */
bool lease_service_knows(const struct lease_service_options *,
    struct rpc_call *);

/* Ask allows() whether the caller may use the partition, and fill in the struct
   caller.  Then correct *words, the caller's own claim about itself, by
   lease_holder_check().  Returns 0, or -1 with the reason. */
int lease_service_admit(const struct lease_service_options *, struct rpc_call *,
    const struct visible_name *, struct ipu_slot *words, struct caller *,
    struct error *);

/* Log the action `what` ("reset") on a device of the partition (-1: all);
   `words` describe the program that asked for it. */
void lease_service_note(const struct lease_service_options *, struct rpc_call *,
    const char *what, int device, const char *partition,
    const struct ipu_slot *words);

/* Make the service.  Copies the options, but not their owner. */
struct lease_service *lease_service_new(const struct lease_service_options *);
/* Free the service (NULL is fine).  The server that has its methods must be
   freed before. */
void lease_service_free(struct lease_service *);

/* Fill the lease service's row of the table of methods. */
void lease_service_methods(struct lease_service *,
    struct rpc_method[LEASE_SERVICE_METHODS]);

/* End the granted leases of users that were removed, got a new key or lost the
   allocation since. */
void lease_service_recheck(struct lease_service *);

/* Set the loop of the server.  Must be called before the server serves. */
void lease_service_use(struct lease_service *, struct rpc_loop *);

enum { DEVICE_SERVICE_METHODS = 2 };

/* Fill the device service's rows.  They point to the options, which must
   outlive the server. */
void device_service_methods(struct lease_service_options *,
    struct rpc_method[DEVICE_SERVICE_METHODS]);

/* The condition of a partition, an IPU or a device (condition.c has a table).
   Texts have no process ids: those depend on the reader
   (core/state/holder.h). */
enum { CONDITION_WORD_SIZE = 32, CONDITION_TEXT_SIZE = 512 };

/* In order of severity: the worst IPU decides for a device. */
enum condition_kind {
	CONDITION_GOOD,
	CONDITION_BUSY,	     /* a program is attached */
	CONDITION_ERROR,     /* an IPU has an error of its SoC */
	CONDITION_PARTITION, /* partition is not active */
	CONDITION_MACHINE    /* machine does not answer */
};

struct condition {
	enum condition_kind kind;
	enum terminal_tone tone; /* TONE_WARNING if it passes by itself */
	uint32_t soc_errors;	 /* set of errors (core/pod/pod.h) */
	char word[CONDITION_WORD_SIZE];
	char text[CONDITION_TEXT_SIZE];
	/* The attribute "ipu error state": "no errors", the errors' names, or
	   why they cannot be read ("machine down", "partition ERROR"). */
	char error_state[SOC_TEXT_SIZE];
};

/* Find a partition's condition: MACHINE, else PARTITION, else GOOD; holders and
   errors of IPUs do not count.  now_ms is CLOCK_REALTIME.  O(IPUs). */
void condition_of_partition(struct condition *, const struct partition *,
    const struct pod *, int64_t now_ms);

/* Find the condition of an IPU, which may be in no partition (NULL).  Of the
   partition's machines only the IPU's counts. */
void condition_of_ipu(struct condition *, const struct ipu_status *,
    const struct partition *, const struct pod *, int64_t now_ms);

/* Start the condition of a device as good, then join the condition of each IPU.
   Of equally severe ones the first is reported, but the errors of all. */
void condition_init(struct condition *);
void condition_join(struct condition *device, const struct condition *ipu);

/*
 * Receives the result of resetting a device: NULL, or the reason why it failed.
 * Either its IPUs could not be locked, as when a program holds one, and none
 * was reset; or all were reset, and the text has a line with the remedy for
 * each IPU that still has an error.  With device NULL the text is a warning,
 * given before any device.
 */
typedef void device_reset_reporter(void *context, const struct device *,
    const char *reason);

/*
 * Reset the device `id` of the partition or GCD that the environment names; id
 * -1: each IPU there.  The server that owns the IPUs does it, else this process
 * in this host's registry; meanwhile listings show `command` as the holder.
 * Devices are reported in order; of a server's device only the id is set.
 * Returns the number of devices that failed; -1: nothing was reset, or the
 * server's answer is lost.  A server may take up to 60 s.
 */
int device_ask_reset(const char *command, int id, device_reset_reporter *,
    void *context, struct error *);

/*
 * "FILE __device": a child process that holds devices for its parent
 * (ipubox-link(7)).  Serve the requests from `in` and write answers to `out`.
 * Returns 0 when `in`, the reader of `out` or the parent has ended; -1: `in`
 * cannot be read.  In both cases all devices are free again.  `warn` is called
 * at most once, with the first warning that an attachment has.
 *
 * The process leaves the parent's session and closes all inherited descriptors
 * except the standard streams.  Signals from the terminal or to the parent's
 * group do not reach it.
 */
#define DEVICE_CHILD_WORD "__device"
int device_child_run(int in, int out, void (*warn)(const char *),
    struct error *);

enum {
	DEVICE_REQUEST_MAX = 255, /* bytes of a line */
	DEVICE_REQUEST_ANY = -1	  /* any device */
};

/* The requests of ipubox-link(7), chapter DEVICE. */
enum device_verb {
	DEVICE_VERB_ID, /* reserve a device, and answer its id */
	DEVICE_VERB_ATTACH,
	DEVICE_VERB_ATTRIBUTES,
	DEVICE_VERB_CHECK,
	DEVICE_VERB_WORK, /* from now on the IPUs compute, until CHECK */
	DEVICE_VERB_DETACH
};

struct device_request {
	enum device_verb verb;
	/* For the verb ID: IPUs per replica.  Of ATTACH: IPUs of the device.
	   0: as many as the environment says, or as the device `id` has. */
	int ipus;
	int id; /* device id, for all verbs but ID; or DEVICE_REQUEST_ANY */
};

/* Parse a line of `size` bytes without its line break.  -1, ERROR_INVALID:
   empty, too long, with a NUL byte, an unknown request, or wrong words. */
int device_request_parse(struct device_request *, const char *line, size_t size,
    struct error *);

/* Print "error CODE TEXT" as one line, with line breaks as "\n" and backslashes
   doubled.  CODE is a word such as "not-found" or "busy". */
void device_request_refuse(FILE *, const struct error *);

#endif
