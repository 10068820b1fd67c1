/*
 * Tiles at rest: their map, their registers and their memory, which a reset
 * leaves as zeros.
 *
 * The map has a cell per supertile (four tiles), in 16 columns and 23 rows.
 * Columns 0 to 7 are the north ones, eastwards; 8 to 15 the south ones,
 * westwards.  Rows count away from the exchange.  Tile 4 * (16 * row + column)
 * + i is the character i of its cell.
 *
 *	:	at rest: nothing has run since the IPU's last reset
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
 *	COUNT_L, COUNT_U SU	cycles that the IPU has computed in its life:
 *				its busy time times its clock
 *
 * Source: gc-info's published map; sizes of a Mk2 IPU.
 */
#include "ipu/device/tile_state.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/state/state.h"

enum {
	MAP_COLUMNS = 16,
	SUPERTILE_TILES = 4,
	MAP_ROWS = TILE_COUNT / SUPERTILE_TILES / MAP_COLUMNS,
	MAP_WIDTH = 3 + 5 * MAP_COLUMNS,
	TILE_MEMORY_BASE = 0x4c000, /* followed by TILE_BYTES */
	TILE_WORKERS = 6,
	CONTEXTS = 1 + TILE_WORKERS,
	WORD_BYTES = 4,
	LINE_BYTES = 4 * WORD_BYTES
};

enum tile_register {
	TILE_PC,
	TILE_STATUS,
	TILE_ID,
	TILE_COUNT_L,
	TILE_COUNT_U,
	TILE_REGISTERS
};

/* In the order of the enum and of TILE_REGISTER_WORDS. */
static const char *const register_names[TILE_REGISTERS] = { "PC", "STATUS",
	"ID", "COUNT_L", "COUNT_U" };
#define WORKER_REGISTERS TILE_COUNT_L

static int
tile_parse_tile(const char *what, const char *text, int *tile, struct error *e)
{
	long long number;

	if (parse_number(what, text, 0, TILE_COUNT - 1, &number, e) != 0)
		return -1;
	*tile = (int)number;
	return 0;
}

/* Parse "SU", "W3", or "3" for W3. */
static int
parse_context(const char *text, int *context, struct error *e)
{
	const char *digit = text + (*text == 'W' || *text == 'w');

	if (strcasecmp(text, "SU") == 0) {
		*context = 0;
		return 0;
	}
	if (*digit >= '0' && *digit < '0' + TILE_WORKERS && digit[1] == '\0') {
		*context = 1 + *digit - '0';
		return 0;
	}
	return suggest_refuse("--context", text, "SU, W0 to W5 or 0 to 5", e);
}

static int
parse_register(const char *text, int context, int *number, struct error *e)
{
	if (suggest_choose("--register", text, TILE_REGISTER_WORDS, number,
		e) != 0)
		return -1;
	if (context > 0 && *number >= WORKER_REGISTERS)
		return error_set_code(e, ERROR_INVALID,
		    "--register '%s': workers have only PC, STATUS and ID",
		    text);
	return 0;
}

int
tile_state_query(struct tile_query *q, const char *tile, const char *context,
    const char *name, struct error *e)
{
	*q = (struct tile_query){ TILE_ALL, TILE_ALL, TILE_ALL };
	if (strcmp(tile, "-") != 0 &&
	    tile_parse_tile("--tile-status", tile, &q->tile, e) != 0)
		return -1;
	if (context != NULL && parse_context(context, &q->context, e) != 0)
		return -1;
	return name == NULL ? 0 :
			      parse_register(name, q->context, &q->number, e);
}

/* Parse a multiple of four from low to high; the error names the range. */
static int
parse_bytes(const char *what, const char *text, long long low, long long high,
    uint32_t *value, struct error *e)
{
	const bool hexadecimal = strncasecmp(text, "0x", 2) == 0;
	const char *at = text + (hexadecimal ? 2 : 0);
	const int base = hexadecimal ? 16 : 10;
	long long number = 0;
	bool sound = *at != '\0';

	for (; sound && *at != '\0' && number <= UINT32_MAX; at++) {
		sound = hexadecimal ? isxdigit((unsigned char)*at) != 0 :
				      isdigit((unsigned char)*at) != 0;
		number = number * base +
		    (isdigit((unsigned char)*at) ?
			    *at - '0' :
			    tolower((unsigned char)*at) - 'a' + 10);
	}
	if (!sound || number < low || number > high || number % WORD_BYTES != 0)
		return error_set_code(e, ERROR_INVALID,
		    "%s '%s': must be a multiple of 4 from 0x%llx to 0x%llx",
		    what, text, (unsigned long long)low,
		    (unsigned long long)high);
	*value = (uint32_t)number;
	return 0;
}

int
tile_state_range(struct tile_range *r, const char *tile, const char *address,
    const char *bytes, struct error *e)
{
	const int end = TILE_MEMORY_BASE + TILE_BYTES;

	if (tile_parse_tile("--dump-mem", tile, &r->tile, e) != 0 ||
	    parse_bytes("address", address, TILE_MEMORY_BASE, end - WORD_BYTES,
		&r->address, e) != 0)
		return -1;
	return parse_bytes("length", bytes, WORD_BYTES,
	    end - (long long)r->address, &r->bytes, e);
}

/* An orderly end resets the IPUs and leaves no text in the slot.  A lost
   machine was started again. */
enum tile_state
tile_state_of(const struct ipu_slot *slot)
{
	if (slot->soc_error != 0)
		return TILE_IN_ERROR;
	return holder_is_known(slot) && slot->lost == 0 ?
	    TILE_IN_SYNC :
	    TILE_AT_REST;
}

static char
character_of(enum tile_state state, int row, int index)
{
	switch (state) {
	case TILE_IN_SYNC:
		return 's';
	case TILE_IN_ERROR:
		return 'E';
	default:
		return row == 0 && index < SUPERTILE_TILES / 2 ? 'x' : ':';
	}
}

static void
print_map(enum tile_state state, FILE *out, int first, int count)
{
	int row, column, i;

	for (column = first; column < first + count; column++)
		fprintf(out, "%*d", column == first ? 7 : 5, column);
	fputc('\n', out);
	for (row = 0; row < MAP_ROWS; row++) {
		fprintf(out, "%3d", row);
		for (column = first; column < first + count; column++) {
			fputc(' ', out);
			for (i = 0; i < SUPERTILE_TILES; i++)
				fputc(character_of(state, row, i), out);
		}
		fputc('\n', out);
	}
}

void
tile_state_overview(enum tile_state state, FILE *out, int columns)
{
	if (columns == 0 || columns >= MAP_WIDTH) {
		print_map(state, out, 0, MAP_COLUMNS);
		return;
	}
	print_map(state, out, 0, MAP_COLUMNS / 2);
	print_map(state, out, MAP_COLUMNS / 2, MAP_COLUMNS / 2);
}

static uint32_t
register_value(const struct ipu_slot *slot, int clock_mhz, int tile,
    int context, int number)
{
	/* busy_ns * MHz / 1000, without overflow in a lifetime. */
	const uint64_t cycles = slot->busy_ns / 1000 * (uint64_t)clock_mhz +
	    slot->busy_ns % 1000 * (uint64_t)clock_mhz / 1000;

	switch (number) {
	case TILE_PC:
		return TILE_MEMORY_BASE;
	case TILE_STATUS:
		return (uint32_t)tile_state_of(slot);
	case TILE_ID:
		return (uint32_t)(context == 0 ? tile : context - 1);
	case TILE_COUNT_L:
		return (uint32_t)cycles;
	default:
		return (uint32_t)(cycles >> 32);
	}
}

static void
print_context(const struct ipu_slot *slot, int clock_mhz, int tile, int context,
    int only, FILE *out)
{
	const int count = context == 0 ? TILE_REGISTERS : WORKER_REGISTERS;
	char name[8] = "SU";
	int i;

	if (context > 0)
		(void)snprintf(name, sizeof(name), "W%d", context - 1);
	for (i = 0; i < count; i++)
		if (only == TILE_ALL || only == i)
			fprintf(out, "tile %d %s %s: 0x%08" PRIx32 "\n", tile,
			    name, register_names[i],
			    register_value(slot, clock_mhz, tile, context, i));
}

void
tile_state_registers(const struct ipu_slot *slot, int clock_mhz,
    const struct tile_query *q, FILE *out)
{
	int tile, context;

	for (tile = 0; tile < TILE_COUNT; tile++) {
		if (q->tile != TILE_ALL && q->tile != tile)
			continue;
		for (context = 0; context < CONTEXTS; context++)
			if (q->context == TILE_ALL || q->context == context)
				print_context(slot, clock_mhz, tile, context,
				    q->number, out);
	}
}

void
tile_state_memory(const struct tile_range *r, FILE *out)
{
	uint32_t i;

	for (i = 0; i < r->bytes; i += WORD_BYTES) {
		if (i % LINE_BYTES == 0)
			fprintf(out, "%s0x%08" PRIx32 ":", i > 0 ? "\n" : "",
			    r->address + i);
		fprintf(out, " %08x", 0);
	}
	fputc('\n', out);
}
