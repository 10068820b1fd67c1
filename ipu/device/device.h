/*
 * Emulated IPUs as programs and tools see them: which devices there are, who
 * holds them, attaching to them, what gc-info and gc-monitor show of them, and
 * the errors of programs that lose them.
 *
 * Read first: device_list.h (devices and their ids), visible_devices.h (which
 * partition a program sees), then attach.h and attach_local.c.
 */
#ifndef IPU_DEVICE_DEVICE_H
#define IPU_DEVICE_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/error.h"
#include "core/base/terminal.h"
#include "core/pod/pod.h"
#include "core/state/ipu_slot.h"
#include "core/state/registry.h"
#include "ipu/device/attach.h"		/* a program takes a device */
#include "ipu/device/attributes.h"	/* what gc-info shows of a device */
#include "ipu/device/device_list.h"	/* devices and their ids */
#include "ipu/device/lease_service.h"	/* a server that holds devices */
#include "ipu/device/listing.h"		/* the listings of gc-info */
#include "ipu/device/poptorch.h"	/* PopTorch's variables and errors */
#include "ipu/device/status.h"		/* holder and sensors of an IPU */
#include "ipu/device/tile_state.h"	/* looks into a free IPU */
#include "ipu/device/visible_devices.h" /* the partition of a program */

/*
 * How a partition, an IPU and a device fare (condition.c has the table).  No
 * sentence tells a process id: what one means depends on its reader
 * (core/state/holder.h).
 */
enum { CONDITION_WORD_SIZE = 32, CONDITION_TEXT_SIZE = 512 };

/* By weight: of several IPUs the heaviest counts. */
enum condition_kind {
	CONDITION_GOOD,
	CONDITION_BUSY,	     /* a program is attached */
	CONDITION_ERROR,     /* an IPU has an error of its SoC */
	CONDITION_PARTITION, /* it is not active */
	CONDITION_MACHINE    /* it does not answer */
};

struct condition {
	enum condition_kind kind;
	enum terminal_tone tone; /* a warning where it passes by itself, as
				    being held */
	uint32_t soc_errors;	 /* a set (pod/soc_error.h) */
	char word[CONDITION_WORD_SIZE];
	char text[CONDITION_TEXT_SIZE];
	/* The attribute "ipu error state": "no errors", the errors' names, or
	   why they cannot be read: "machine down", "partition ERROR". */
	char error_state[SOC_TEXT_SIZE];
};

/* Its machines first: one that does not answer; then its state.  O(IPUs). */
void condition_of_partition(struct condition *, const struct partition *,
    const struct pod *, int64_t now_ms);

/* An IPU of the partition, or of none (NULL).  Of the partition's machines only
   the IPU's own counts. */
void condition_of_ipu(struct condition *, const struct ipu_status *,
    const struct partition *, const struct pod *, int64_t now_ms);

/* A device of several IPUs: begin with condition_init(), which is the good
   one, and join that of each IPU.  The first of the heaviest is told. */
void condition_init(struct condition *);
void condition_join(struct condition *device, const struct condition *ipu);

/*
 * How a device fared that was reset: NULL, or why it failed.  Either another
 * program holds an IPU of it, and none was reset; or all were, and an error
 * stays that an IPU reset does not clear: a line for each such IPU, with its
 * remedy.  Device NULL: the text is a warning, told before the devices.
 */
typedef void device_reset_told(void *context, const struct device *,
    const char *reason);

/*
 * Reset the device with that id of the partition that the environment names, or
 * with -1 each of its IPUs, under that name of a command: by the server that
 * has them, else by this host's registry.  Devices are told in their order; of
 * a server's only the id.  Returns how many failed; or -1, and nothing was
 * reset.
 */
int device_ask_reset(const char *command, int id, device_reset_told *,
    void *context, struct error *);

/*
 * "FILE __device": the child of a program that holds devices for it, as
 * ipubox-link(7) describes it.  Serve the requests from `in`, with answers to
 * `out`, for the parent of this process.  Returns 0 when `in` has ended or the
 * parent has; what was held is free again then.  -1: an error of one of the two
 * descriptors.
 *
 * This process leaves the session of the program, and closes what it inherited
 * but for its standard streams: a signal from the terminal, or to the
 * program's group, is the program's alone.
 */
#define DEVICE_CHILD_WORD "__device"
int device_child_run(int in, int out, struct error *);

enum {
	DEVICE_REQUEST_MAX = 255, /* bytes of a line */
	DEVICE_REQUEST_ANY = -1	  /* a device that has no number */
};

enum device_verb {
	DEVICE_VERB_ID,
	DEVICE_VERB_ATTACH,
	DEVICE_VERB_ATTRIBUTES,
	DEVICE_VERB_CHECK,
	DEVICE_VERB_DETACH
};

struct device_request {
	enum device_verb verb;
	int ipus; /* of id and attach; 0: not said */
	int id;	  /* of the others and attach, or DEVICE_REQUEST_ANY */
};

/* Read a line of `size` bytes, without its line break.  -1, ERROR_INVALID: too
   long, a byte that is not of a text, an unknown request, too few or too many
   words, or one that is not a number. */
int device_request_parse(struct device_request *, const char *line, size_t size,
    struct error *);

/* Print "error CODE TEXT" with the error's code, always one line. */
void device_request_refuse(FILE *, const struct error *);

#endif
