/*
 * The attributes of a device, as `gc-info --device-info` prints them.  Names
 * and texts have the form that programs parse ("1330MHz", "29.6 C", "0.00%",
 * "N/A").  The release decides which attributes exist (versions.h).
 */
#ifndef IPU_DEVICE_ATTRIBUTES_H
#define IPU_DEVICE_ATTRIBUTES_H

#include <stdio.h>

#include <yyjson.h>

#include "core/state/state.h"
#include "ipu/device/device.h"
#include "ipu/device/device_list.h"

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

#endif
