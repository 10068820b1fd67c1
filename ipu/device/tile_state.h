/*
 * The tiles of an IPU that no program uses now, as gc-info shows them.  There
 * is no tile processor behind an emulated IPU: what can be said of its tiles
 * follows from the slot of the IPU, the same for the same slot.
 *
 * The map has a cell per supertile, which is four tiles, in 16 columns (0 to 7
 * the north ones going east, 8 to 15 the south ones going back west) and 23
 * rows, which count away from the exchange.  Tile 4 * (16 * row + column) + i
 * is the character i of its cell.
 *
 *	:	at rest: a reset is the last that befell the IPU
 *	x	the same, of the two tiles of each column next to the exchange
 *	s	stopped in a sync: the last program was killed, and the others
 *		still wait for it
 *	E	stopped by an error of the SoC
 *
 * Registers, each of 32 bits:
 *
 *	PC	SU, workers	where a reset leaves it, the beginning of the
 *				memory: programs are not kept as instructions
 *	STATUS	SU, workers	0 at rest, 1 in a sync, 2 stopped by an error
 *	ID	SU, workers	the tile's number; the worker's
 *	COUNT_L, COUNT_U SU	cycles that the IPU has computed since it is
 *				there: its busy time times its clock
 *
 * Source: gc-info's published map; sizes of a Mk2 IPU.
 */
#ifndef IPU_DEVICE_TILE_STATE_H
#define IPU_DEVICE_TILE_STATE_H

#include <stdint.h>
#include <stdio.h>

#include "core/base/error.h"
#include "core/state/state.h"
#include "ipu/engine/model/memory.h"

enum {
	TILE_MEMORY_BASE = 0x4c000,	/* MEMORY_TILE_BYTES from there on */
	TILE_WORKERS = 6,
	TILE_ALL = -1
};

/* The names of the registers; workers have the first three. */
#define TILE_REGISTER_WORDS	"PC, STATUS, ID, COUNT_L or COUNT_U"

enum tile_state { TILE_AT_REST, TILE_IN_SYNC, TILE_IN_ERROR };

/* What one --tile-status asks for. */
struct tile_query {
	int	tile;		/* TILE_ALL: each of them */
	int	context;	/* 0: SU, 1 to 6: W0 to W5, TILE_ALL */
	int	number;		/* of the register, TILE_ALL */
};

/* A range of a tile's memory. */
struct tile_range {
	int		tile;
	uint32_t	address;
	uint32_t	bytes;
};

/*
 * From the words of the command line, NULL for what was not said: tile "-" is
 * all tiles; "SU", "W3" or "3"; "PC".  -1 and what there is.
 */
int	tile_state_query(struct tile_query *, const char *tile,
	    const char *context, const char *name, struct error *);

/* Address and bytes are decimal, or hexadecimal with 0x, and multiples of 4. */
int	tile_state_range(struct tile_range *, const char *tile,
	    const char *address, const char *bytes, struct error *);

/* What the slot says when no program is attached. */
enum tile_state	tile_state_of(const struct ipu_slot *);

/* The map; on a terminal of fewer columns than it needs the south columns stand
   below the north ones (0: no terminal). */
void	tile_state_overview(enum tile_state, FILE *, int columns);

/* "tile 0 SU PC: 0x0004c000", a line per register. */
void	tile_state_registers(const struct ipu_slot *, int clock_mhz,
	    const struct tile_query *, FILE *);

/* "0x0004c000: 00000000 00000000 00000000 00000000" */
void	tile_state_memory(const struct tile_range *, FILE *);

#endif
