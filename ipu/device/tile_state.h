/*
 * Inspecting a free IPU for gc-info: taking it for a moment, its tiles, and the
 * blocks around them.  An emulated IPU has no tile processors: the output is a
 * function of its slot, the wiring of its cluster and its partition.
 */
#ifndef IPU_DEVICE_TILE_STATE_H
#define IPU_DEVICE_TILE_STATE_H

#include <stdio.h>

#include "ipu/device/device_list.h"
#include "ipu/device/visible_devices.h"

enum {
	TILE_COUNT = 1472,   /* of a Mk2 IPU and of Bow */
	TILE_BYTES = 638976, /* memory of each: 624 kB */
	TILE_ALL = -1
};

/* Names of the registers of the supervisor (SU); workers have the first
   three. */
#define TILE_REGISTER_WORDS "PC, STATUS, ID, COUNT_L or COUNT_U"

enum tile_state { TILE_AT_REST, TILE_IN_SYNC, TILE_IN_ERROR };

/* The choice of registers in --tile-status. */
struct tile_query {
	int tile; /* or TILE_ALL */
	/* 0: supervisor (SU), 1 to 6: workers W0 to W5, or TILE_ALL. */
	int context;
	/* Index of the register in TILE_REGISTER_WORDS, or TILE_ALL. */
	int number;
};

/* A range of a tile's memory. */
struct tile_range {
	int tile;
	uint32_t address, bytes;
};

/* Parse the command line's words: a tile number, or "-" for all; context "SU",
   "W3" or "3"; register "PC".  `context` and `name` may be NULL, for all.  -1:
   the error lists the valid words. */
int tile_state_query(struct tile_query *, const char *tile, const char *context,
    const char *name, struct error *);

/* Parse a range: decimal or 0x hexadecimal numbers of bytes, multiples of 4 in
   the tile's memory. */
int tile_state_range(struct tile_range *, const char *tile, const char *address,
    const char *bytes, struct error *);

/* Return the state that a slot implies when no program is attached. */
enum tile_state tile_state_of(const struct ipu_slot *);

/* Print the map of tiles.  On a terminal that is too narrow, the south columns
   stand below the north ones (columns 0: no terminal). */
void tile_state_overview(enum tile_state, FILE *, int columns);

/* Print "tile 0 SU PC: 0x0004c000" for each register of the query. */
void tile_state_registers(const struct ipu_slot *, int clock_mhz,
    const struct tile_query *, FILE *);

/* Print the memory, which is all 0: "0x0004c000: 00000000 00000000 00000000
   00000000". */
void tile_state_memory(const struct tile_range *, FILE *);

/* A device that this process has taken for a moment.  Its IPUs are locked but
   not reset; afterwards their slots are as before. */
struct exclusive {
	struct registry registry; /* owned; not open if a server answered */
	const struct pod *pod;	  /* of the view, like the partition */
	const struct partition *partition;
	struct device device;
	struct ipu_slot *before; /* owned; slots before this, one per IPU */
	int *clock_mhz;		 /* owned; one per IPU */
	int first_ipu;		 /* number in the pod; 0 if a server answered */
};

/*
 * Take a device of the view, which must live as long; others see `command` as
 * its user.  A server that owns the IPUs is asked for their state instead; then
 * this process holds nothing.  After 0 the caller must call exclusive_end().
 * ERROR_NO_ROOM: a program is attached; ERROR_UNAVAILABLE: the partition is not
 * active, or a machine does not answer.
 */
int exclusive_begin(struct exclusive *, const struct visible_devices *,
    const struct device *, const char *command, struct error *);
void exclusive_end(struct exclusive *);

/* Return the pod's number of the device's IPU `index`. */
int exclusive_ipu(const struct exclusive *, int index);

/* An IPU of a partition and its slot.  Owns nothing. */
struct soc_view {
	const struct pod *pod;
	const struct partition *partition;
	const struct ipu_slot *slot;
	const struct versions *versions; /* of the emulated release */
	int routing_id;
	int ipu;	/* number in the pod */
	int64_t now_ms; /* CLOCK_REALTIME */
};

/* Print the lines of --xb-status (the exchange block with the IPU-Links),
   --nlc-status (the links alone), --gsp-status (the global sync peripheral) and
   --pci-status (the PCIe link). */
void soc_status_exchange(const struct soc_view *, FILE *);
void soc_status_links(const struct soc_view *, FILE *);
void soc_status_sync(const struct soc_view *, FILE *);
void soc_status_pci(const struct soc_view *, FILE *);

#endif
