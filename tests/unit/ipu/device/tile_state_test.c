/* Tiles: their map, registers and memory, and what words are refused. */
#include "ipu/device/device.h"

#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

static char *text;
static size_t size;

static FILE *
open_text(void)
{
	free(text);
	return open_memstream(&text, &size);
}

static int
count_lines(void)
{
	const char *at;
	int n = 0;

	for (at = text; (at = strchr(at, '\n')) != NULL; at++)
		n++;
	return n;
}

static struct ipu_slot
make_slot(uint32_t soc_error, int pid, uint32_t lost)
{
	struct ipu_slot slot;

	memset(&slot, 0, sizeof(slot));
	slot.soc_error = soc_error;
	slot.pid = pid;
	(void)strlcpy(slot.user, pid != 0 ? "mia" : "", sizeof(slot.user));
	slot.lost = lost;
	return slot;
}

static void
test_state(void)
{
	static const struct {
		uint32_t soc_error;
		int pid;
		uint32_t lost;
		enum tile_state state;
	} rows[] = {
		{ 0, 0, 0, TILE_AT_REST },
		{ 0, 4711, 0, TILE_IN_SYNC }, /* killed: it left its words */
		{ 0, 4711, 1, TILE_AT_REST }, /* its machine was started */
		{ 512, 0, 0, TILE_IN_ERROR },
		{ 512, 4711, 0, TILE_IN_ERROR },
	};
	struct ipu_slot slot;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		slot = make_slot(rows[i].soc_error, rows[i].pid, rows[i].lost);
		is_int(tile_state_of(&slot), rows[i].state, "state");
	}
}

static void
test_overview(void)
{
	FILE *out = open_text();

	tile_state_overview(TILE_AT_REST, out, 0);
	(void)fclose(out);
	is_int(count_lines(), 24, "numbers and 23 rows");
	ok(strncmp(text, "      0    1    2", 17) == 0, "the columns");
	ok(strstr(text, "   15\n  0 xx:: xx::") != NULL,
	    "next to the exchange");
	ok(strstr(text, "\n 22 :::: ") != NULL, "the last row");
	is_int((long long)strcspn(text, "\n"), 82, "columns of the first line");
	out = open_text();
	tile_state_overview(TILE_IN_SYNC, out, 82);
	(void)fclose(out);
	is_int(count_lines(), 48, "82 columns: two halves");
	ok(strstr(text, "\n      8    9   10") != NULL, "the south below");
	ok(strchr(text, ':') == NULL && strchr(text, 's') != NULL,
	    "all wait in a sync");
	out = open_text();
	tile_state_overview(TILE_IN_ERROR, out, 83);
	(void)fclose(out);
	is_int(count_lines(), 24, "83 columns: whole");
	ok(strstr(text, "\n  0 EEEE EEEE") != NULL, "all have stopped");
}

static void
print_registers(const struct ipu_slot *slot, const char *tile,
    const char *context, const char *name)
{
	struct tile_query q;
	struct error e;
	FILE *out = open_text();

	is_int(tile_state_query(&q, tile, context, name, &e), 0, "a query");
	tile_state_registers(slot, 1330, &q, out);
	(void)fclose(out);
}

static void
test_registers(void)
{
	struct ipu_slot slot = make_slot(0, 0, 0);

	slot.busy_ns = 5000000001; /* 6,650,000,001.33 cycles */
	print_registers(&slot, "7", NULL, NULL);
	is_int(count_lines(), 5 + 6 * 3, "all of a tile");
	ok(strncmp(text, "tile 7 SU PC: 0x0004c000\n", 25) == 0, "PC first");
	ok(strstr(text, "tile 7 SU ID: 0x00000007\n") != NULL &&
		strstr(text, "tile 7 W5 ID: 0x00000005\n") != NULL,
	    "IDs");
	/* 6650000001 = 1 * 2^32 + 0x8c5ef281 */
	ok(strstr(text, "SU COUNT_L: 0x8c5ef281\n") != NULL &&
		strstr(text, "SU COUNT_U: 0x00000001\n") != NULL,
	    "cycles");
	print_registers(&slot, "-", "SU", "PC");
	is_int(count_lines(), 1472, "one of each tile");
	ok(strstr(text, "\ntile 1471 SU PC: 0x0004c000\n") != NULL, "the last");
	slot.soc_error = 2;
	print_registers(&slot, "0", "w3", "STATUS");
	is_str(text, "tile 0 W3 STATUS: 0x00000002\n", "stopped");
	print_registers(&slot, "0", "3", "ID");
	is_str(text, "tile 0 W3 ID: 0x00000003\n", "3 is W3");
}

static void
test_refused(void)
{
	static const struct {
		const char *tile, *context, *name, *reason;
	} rows[] = {
		{ "1472", NULL, NULL,
		    "--tile-status '1472': too large, must be 0 to 1471" },
		{ "-1", NULL, NULL,
		    "--tile-status '-1': too small, must be 0 to 1471" },
		{ "x", NULL, NULL, "--tile-status 'x': not a whole number" },
		{ "0", "W6", NULL,
		    "--context 'W6': must be SU, W0 to W5 or 0 to 5" },
		{ "0", "", NULL,
		    "--context '': must be SU, W0 to W5 or 0 to 5" },
		{ "0", "33", NULL,
		    "--context '33': must be SU, W0 to W5 or 0 to 5" },
		{ "0", NULL, "XX",
		    "--register 'XX': must be PC, STATUS, ID, COUNT_L or "
		    "COUNT_U" },
		{ "0", "0", "COUNT_L",
		    "--register 'COUNT_L': workers have only PC, STATUS and "
		    "ID" },
	};
	struct tile_query q;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		e.text[0] = '\0';
		is_int(tile_state_query(&q, rows[i].tile, rows[i].context,
			   rows[i].name, &e),
		    -1, "refused");
		is_str(e.text, rows[i].reason, "the reason");
	}
}

static void
test_memory(void)
{
	static const struct {
		const char *tile, *address, *bytes, *reason;
	} rows[] = {
		{ "1472", "0x4c000", "4",
		    "--dump-mem '1472': too large, must be 0 to 1471" },
		{ "0", "0x4bffc", "4",
		    "address '0x4bffc': must be a multiple of 4 from 0x4c000 "
		    "to 0xe7ffc" },
		{ "0", "0xe8000", "4",
		    "address '0xe8000': must be a multiple of 4 from 0x4c000 "
		    "to 0xe7ffc" },
		{ "0", "0x", "4",
		    "address '0x': must be a multiple of 4 from 0x4c000 to "
		    "0xe7ffc" },
		{ "0", "4c000", "4",
		    "address '4c000': must be a multiple of 4 from 0x4c000 to "
		    "0xe7ffc" },
		{ "0", "0x1000000000004c000", "4",
		    "address '0x1000000000004c000': must be a multiple of 4 "
		    "from 0x4c000 to 0xe7ffc" },
		{ "0", "0x4c001", "4",
		    "address '0x4c001': must be a multiple of 4 from 0x4c000 "
		    "to 0xe7ffc" },
		{ "0", "0xe7ff0", "20",
		    "length '20': must be a multiple of 4 from 0x4 to 0x10" },
		{ "0", "0x4c000", "0",
		    "length '0': must be a multiple of 4 from 0x4 to 0x9c000" },
	};
	struct tile_range r;
	struct error e;
	FILE *out;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		e.text[0] = '\0';
		is_int(tile_state_range(&r, rows[i].tile, rows[i].address,
			   rows[i].bytes, &e),
		    -1, "refused");
		is_str(e.text, rows[i].reason, "the reason");
	}
	is_int(tile_state_range(&r, "1471", "311300", "0x14", &e), 0,
	    "both bases");
	out = open_text();
	tile_state_memory(&r, out);
	(void)fclose(out);
	is_str(text,
	    "0x0004c004: 00000000 00000000 00000000 00000000\n"
	    "0x0004c014: 00000000\n",
	    "zeros");
	is_int(tile_state_range(&r, "0", "0x4c000", "638976", &e), 0,
	    "all of it");
	is_int(r.bytes, 638976, "bytes");
}

int
main(void)
{
	test_state();
	test_overview();
	test_registers();
	test_refused();
	test_memory();
	free(text);
	return tap_done();
}
