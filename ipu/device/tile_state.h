/*
 * Looks into an IPU that no program uses now, as gc-info has them: having it
 * for a moment, its tiles, and what surrounds these.  No tile processor stands
 * behind an emulated IPU: what can be said of it follows from its slot, the
 * wiring of its cluster and its partition, the same for the same state.
 */
#ifndef IPU_DEVICE_TILE_STATE_H
#define IPU_DEVICE_TILE_STATE_H

#include <stdint.h>
#include <stdio.h>

#include "core/base/error.h"
#include "core/pod/pod.h"
#include "core/state/state.h"
#include "ipu/device/device_list.h"
#include "ipu/device/visible_devices.h"

enum {
	TILE_COUNT = 1472,   /* of a Mk2 IPU, Bow's as well */
	TILE_BYTES = 638976, /* of memory each: 624 kB */
	TILE_ALL = -1
};

/* The names of the registers; workers have the first three. */
#define TILE_REGISTER_WORDS "PC, STATUS, ID, COUNT_L or COUNT_U"

enum tile_state { TILE_AT_REST, TILE_IN_SYNC, TILE_IN_ERROR };

/* What one --tile-status asks for. */
struct tile_query {
	int tile;    /* TILE_ALL: each of them */
	int context; /* 0: SU, 1 to 6: W0 to W5, TILE_ALL */
	int number;  /* of the register, TILE_ALL */
};

/* A range of a tile's memory. */
struct tile_range {
	int tile;
	uint32_t address, bytes;
};

/* From the words of the command line, NULL for what was not said: tile "-" is
   all tiles; "SU", "W3" or "3"; "PC".  -1 and what there is. */
int tile_state_query(struct tile_query *, const char *tile, const char *context,
    const char *name, struct error *);

/* Address and bytes are decimal, or hexadecimal with 0x, and multiples of 4. */
int tile_state_range(struct tile_range *, const char *tile, const char *address,
    const char *bytes, struct error *);

/* What the slot says when no program is attached. */
enum tile_state tile_state_of(const struct ipu_slot *);

/* The map; on a terminal of fewer columns than it needs the south columns stand
   below the north ones (0: no terminal). */
void tile_state_overview(enum tile_state, FILE *, int columns);

/* "tile 0 SU PC: 0x0004c000", a line per register. */
void tile_state_registers(const struct ipu_slot *, int clock_mhz,
    const struct tile_query *, FILE *);

/* "0x0004c000: 00000000 00000000 00000000 00000000" */
void tile_state_memory(const struct tile_range *, FILE *);

/* A device that this process has for itself for a moment.  Its IPUs are locked,
   but not reset; at the end their slots have what they had before. */
struct exclusive {
	struct registry registry; /* owned; closed where a server looked */
	const struct pod *pod;
	const struct partition *partition;
	struct device device;
	struct ipu_slot *before; /* owned; of each IPU */
	int *clock_mhz;		 /* owned; of each IPU */
	int first_ipu;		 /* number in the pod */
};

/*
 * Take a device of the view, which must live as long; others see `command` as
 * its user.  Where a server has the IPUs it is asked for a look at them, and
 * nothing is held after that.  ERROR_NO_ROOM: that program is attached;
 * ERROR_UNAVAILABLE: the partition is not active, or a machine of the device
 * does not answer.
 */
int exclusive_begin(struct exclusive *, const struct visible_devices *,
    const struct device *, const char *command, struct error *);
void exclusive_end(struct exclusive *);

/* The pod's number of the device's IPU `index`. */
int exclusive_ipu(const struct exclusive *, int index);

/* An IPU of a partition and its slot; nothing is owned. */
struct soc_view {
	const struct pod *pod;
	const struct partition *partition;
	const struct ipu_slot *slot;
	const struct versions *versions; /* of the release */
	int routing_id;
	int ipu; /* number in the pod */
	int64_t now_ms;
};

/* Print the lines of the exchange block with the IPU-Links (--xb-status), of
   the global sync peripheral (--gsp-status) and of the PCIe link. */
void soc_status_exchange(const struct soc_view *, FILE *);
void soc_status_sync(const struct soc_view *, FILE *);
void soc_status_pci(const struct soc_view *, FILE *);

#endif
