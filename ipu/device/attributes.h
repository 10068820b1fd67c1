/*
 * The attributes of a device, as `gc-info --device-info` prints them: names
 * and texts as programs parse them ("1330MHz", "29.6 C", "0.00%", "N/A").
 * Which attributes exist depends on the release (versions.h).
 */
#ifndef IPU_DEVICE_ATTRIBUTES_H
#define IPU_DEVICE_ATTRIBUTES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <yyjson.h>

#include "core/pod/pod.h"
#include "core/state/state.h"
#include "ipu/device/device.h"
#include "ipu/device/device_list.h"

enum { ATTRIBUTES_MAX = 64 };

struct attribute {
	const char *key;
	const char *value; /* of the struct, or of the program */
};

/* It points into itself, so it is not to be copied. */
struct attributes {
	int count;
	struct attribute rows[ATTRIBUTES_MAX];
	char texts[ATTRIBUTES_MAX][SLOT_COMMAND_SIZE];
};

/* "16 GT/s", as that release writes it; and lanes. */
const char *attributes_link_speed(const struct versions *);
#define ATTRIBUTES_LINK_WIDTH "8"

/*
 * All attributes of a device: id and target first, the rest by name (capitals
 * before small letters).  now_ns is CLOCK_REALTIME; with `monitor` the
 * sensors are read whatever the holder asked for.
 */
void attributes_read(struct attributes *, const struct registry *,
    const struct pod *, const struct partition *, const struct device *,
    int64_t now_ns, bool monitor, const struct versions *);

/* Those of an IPU of the pod, in a partition or not, by name: what `vipu list
   ipu-attrs` prints. */
void attributes_read_ipu(struct attributes *, const struct registry *,
    const struct pod *, int ipu, int64_t now_ns, bool monitor,
    const struct versions *);

/* NULL when the device has no such attribute. */
const char *attributes_get(const struct attributes *, const char *key);

/* All of them as lines "  NAME: VALUE", and as members of an object, whose
   document has copies. */
void attributes_put(const struct attributes *, FILE *);
void attributes_put_json(const struct attributes *, yyjson_mut_doc *,
    yyjson_mut_val *object);

#endif
