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

#include "ipu/device/attach.h"		/* attaching a program to a device */
#include "ipu/device/attributes.h"	/* attributes for gc-info */
#include "ipu/device/device_list.h"	/* devices and their ids */
#include "ipu/device/lease_service.h"	/* a server that holds devices */
#include "ipu/device/listing.h"		/* the listings of gc-info */
#include "ipu/device/poptorch.h"	/* PopTorch's variables and errors */
#include "ipu/device/status.h"		/* holder and sensors of an IPU */
#include "ipu/device/tile_state.h"	/* inspecting a free IPU */
#include "ipu/device/visible_devices.h" /* the partition of a program */

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
	uint32_t soc_errors;	 /* set of errors (core/pod/soc_error.h) */
	char word[CONDITION_WORD_SIZE];
	char text[CONDITION_TEXT_SIZE];
	/* The attribute "ipu error state": "no errors", the errors' names, or
	   why they cannot be read ("machine down", "partition ERROR"). */
	char error_state[SOC_TEXT_SIZE];
};

/* Find the condition of a partition: a machine that does not answer comes
   before the partition's own state.  O(IPUs). */
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
 * Reset the device `id` of the partition that the environment names, or with -1
 * each of its IPUs.  The server that owns the IPUs does it, else this process
 * in this host's registry; meanwhile listings show `command` as the holder.
 * Devices are reported in order; of a server's device only the id is set.
 * Returns the number of failures; -1: nothing was reset, or the server's answer
 * is lost.
 */
int device_ask_reset(const char *command, int id, device_reset_reporter *,
    void *context, struct error *);

/*
 * "FILE __device": a child process that holds devices for its parent
 * (ipubox-link(7)).  Serve the requests from `in` and write answers to `out`.
 * Returns 0 when `in`, the reader of `out` or the parent has ended; -1: `in`
 * cannot be read.  In both cases all devices are free again.  `warn` gets the
 * first warning of an attachment (struct attachment), and no other.
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
