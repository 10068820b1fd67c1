/* Utilisation and the sensor model, with time as a parameter. */
#include "ipu/device/device.h"

#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

#define SECOND INT64_C(1000000000)
#define START (INT64_C(1700000000) * SECOND)

/* All that there is to read. */
static void
read_all(struct sensors *s, int model, int ipu, const struct ipu_slot *slot,
    int64_t now_ns)
{
	sensors_read(s, model, slot, now_ns);
	sensors_warm(s, model, ipu, &slot->ring, now_ns);
}

/* A slot that attached at START, and computes from then on for so long. */
static struct ipu_slot
busy_slot(int64_t busy_ns)
{
	struct ipu_slot slot;

	memset(&slot, 0, sizeof(slot));
	slot.attached_ns = START;
	slot.session_busy_ns = (uint64_t)busy_ns;
	slot.last_busy_ns = (uint64_t)(START + busy_ns);
	busy_ring_add(&slot.ring, START, START + busy_ns);
	return slot;
}

static void
test_utilisation(void)
{
	static const struct {
		double busy, now; /* seconds since START */
		double recent, minute, session;
	} rows[] = {
		{ 0, 0, 0, 0, 0 }, /* just attached */
		{ 0, 10, 0, 0, 0 },
		{ 0.25, 0.5, 0.5, 0.5, 0.5 }, /* shorter than a second */
		{ 5, 5, 1, 1, 1 }, { 5, 5.25, 0.75, 5 / 5.25, 5 / 5.25 },
		{ 5, 10, 0, 0.5, 0.5 }, { 5, 60, 0, 5 / 60.0, 5 / 60.0 },
		{ 5, 62, 0, 0.05, 5 / 62.0 }, /* three of the five */
		{ 5, 70, 0, 0, 5 / 70.0 },
		{ 5, -5, 0, 0, 0 }, /* a clock set back */
	};
	struct sensors s;
	struct ipu_slot slot;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		slot = busy_slot((int64_t)(rows[i].busy * 1e9));
		sensors_read(&s, MACHINE_M2000, &slot,
		    START + (int64_t)(rows[i].now * 1e9));
		is_near(s.recent, rows[i].recent, 1e-9, "the last second");
		is_near(s.minute, rows[i].minute, 1e-9, "the last minute");
		is_near(s.session, rows[i].session, 1e-9, "the session");
	}
	sensors_read(&s, MACHINE_M2000, NULL, START + 5 * SECOND);
	ok(s.measured && s.recent <= 0.0 && s.minute <= 0.0 && s.session <= 0.0,
	    "an IPU that nobody holds does nothing");
}

/* The next program has done nothing, however busy the one before was. */
static void
test_next_program(void)
{
	struct ipu_slot slot = busy_slot(30 * SECOND);
	struct sensors s;

	slot.attached_ns = START + 30 * SECOND;
	atomic_store(&slot.session_busy_ns, 0);
	read_all(&s, MACHINE_M2000, 0, &slot, START + 30 * SECOND + SECOND / 2);
	ok(s.recent <= 0.0 && s.minute <= 0.0 && s.session <= 0.0,
	    "what was before it attached is not its own");
	is_near(s.power_w, 41.0, 1e-9, "and takes no power");
	ok(s.heat > 0.5, "but the IPU is warm");
	slot.flags = SLOT_UNMEASURED;
	sensors_read(&s, MACHINE_M2000, &slot, START);
	ok(!s.measured, "not measured");
}

/* A hostile or torn slot: still 0 to 100 %. */
static void
test_foreign_slot(void)
{
	struct ipu_slot slot;
	struct sensors s;
	int byte, wrong = 0;

	for (byte = 0; byte < 256; byte++) {
		memset(&slot, byte, sizeof(slot));
		slot.flags = 0;
		read_all(&s, byte, byte, &slot, START);
		wrong += !(s.recent >= 0 && s.recent <= 1 && s.minute >= 0 &&
		    s.minute <= 1 && s.session >= 0 && s.session <= 1 &&
		    s.heat >= 0 && s.heat <= 1 && s.power_w >= 31.0 &&
		    s.power_w <= 124.0 && s.die_c >= 24.0 && s.die_c <= 49.0);
	}
	is_int(wrong, 0, "no reading outside of its ends");
}

/* Two IPUs of a board, each busy in all of the last `seconds`. */
static struct sensors_board
board_of(int model, int64_t first_s, int64_t second_s, struct sensors both[2])
{
	struct sensors_board board;
	struct ipu_slot slot;
	int i;

	for (i = 0; i < 2; i++) {
		slot = busy_slot((i == 0 ? first_s : second_s) * SECOND);
		read_all(&both[i], model, i, &slot,
		    START + (i == 0 ? first_s : second_s) * SECOND);
	}
	sensors_add_board(&board, model, both);
	return board;
}

/* The ends of the model are what samples of the real tools show. */
static void
test_model(void)
{
	static const struct {
		int model;
		int64_t first, second; /* seconds at work */
		double power, other_power, die, other_die;
		double board_power, board_temp;
	} rows[] = {
		{ MACHINE_M2000, 0, 0, 41.0, 41.0, 39.2, 39.2, 112.0, 29.6 },
		{ MACHINE_M2000, 90, 90, 124.0, 124.0, 47.0, 49.0, 278.0,
		    41.0 },
		{ MACHINE_M2000, 90, 0, 124.0, 41.0, 47.0, 39.2, 195.0, 35.3 },
		{ MACHINE_BOW2000, 0, 0, 31.15, 31.15, 24.2, 24.2, 92.3, 21.1 },
		{ MACHINE_BOW2000, 90, 90, 42.35, 42.35, 34.5, 34.8, 114.7,
		    27.2 },
		/* h = (1 - e^(-10/30)) / (1 - e^-2) = 0.3278 */
		{ MACHINE_M2000, 10, 10, 124.0, 124.0, 41.757, 42.413, 278.0,
		    33.337 },
	};
	struct sensors_board board;
	struct sensors both[2];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		board = board_of(rows[i].model, rows[i].first, rows[i].second,
		    both);
		is_int(both[0].clock_mhz,
		    rows[i].model == MACHINE_M2000 ? 1330 : 1850,
		    "the clock is the model's");
		is_near(both[0].power_w, rows[i].power, 1e-9, "power");
		is_near(both[1].power_w, rows[i].other_power, 1e-9,
		    "power of the other");
		is_near(both[0].die_c, rows[i].die, 2e-3, "die");
		is_near(both[1].die_c, rows[i].other_die, 2e-3, "other die");
		is_near(board.power_w, rows[i].board_power, 1e-9,
		    "power of the board");
		is_near(board.temp_c, rows[i].board_temp, 2e-3,
		    "temperature of the board");
	}
}

/* Heat rises with work, and falls when it ends, also without a holder. */
static void
test_heat(void)
{
	struct ipu_slot slot = busy_slot(40 * SECOND);
	struct sensors s;
	double before = 0.0;
	int i, wrong = 0;

	for (i = 1; i <= 40; i++) {
		slot = busy_slot(i * SECOND);
		read_all(&s, MACHINE_M2000, 0, &slot, START + i * SECOND);
		wrong += s.heat <= before;
		before = s.heat;
	}
	for (; i <= 99; i++) {
		sensors_warm(&s, MACHINE_M2000, 0, &slot.ring,
		    START + i * SECOND);
		wrong += s.heat >= before;
		before = s.heat;
	}
	is_int(wrong, 0, "up for 40 seconds, down for a minute");
	sensors_warm(&s, MACHINE_M2000, 0, &slot.ring, START + 100 * SECOND);
	ok(s.heat <= 0.0, "then it is cold");
}

static void
test_words(void)
{
	static const struct {
		int64_t seconds;
		const char *text;
	} times[] = {
		{ 0, "0s" },
		{ 10, "10s" },
		{ 59, "59s" },
		{ 60, "1m0s" },
		{ 63, "1m3s" },
		{ 3599, "59m59s" },
		{ 3600, "1h0m" },
		{ 8279, "2h17m" },
		{ 86399, "23h59m" },
		{ 86400, "1d0h" },
		{ 277199, "3d4h" },
		{ -5, "0s" },
	};
	static const struct {
		const char *in, *out;
	} words[] = {
		{ "python3", "python3" },
		{ "j\xc3\xb6rg", "j\xc3\xb6rg" },
		{ "a\x1b[31mb\n", "a\\x1b[31mb\\x0a" },
		{ "cut \xc3", "cut \\xc3" },
		{ "\xff\xc0\x80", "\\xff\\xc0\\x80" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" }, /* a surrogate */
		{ "\xc2\x9b"
		  "31m",
		    "\\xc2\\x9b"
		    "31m" }, /* CSI in C1 */
		{ "\xe2\x82\xac", "\xe2\x82\xac" },
		{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
	};
	char text[READING_SIZE];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(times); i++) {
		status_duration(times[i].seconds, text);
		is_str(text, times[i].text, "duration");
	}
	for (i = 0; i < ARRAY_SIZE(words); i++) {
		text_printable(words[i].in, text, sizeof(text));
		is_str(text, words[i].out, "printable");
	}
	text_printable("12\xc3\xb6", text, 4);
	is_str(text, "12", "a letter that the copy cuts in two");
	status_percent(0.8736, text);
	is_str(text, "87.36%", "percent");
}

/* The last minute second by second, of a slot in the registry. */
static void
test_history(void)
{
	uint8_t percents[STATUS_HISTORY];
	struct registry r;
	int i, sum = 0;

	make_state("history");
	open_registry(&r);
	status_history(&r, 1, START, percents);
	for (i = 0; i < STATUS_HISTORY; i++)
		sum += percents[i];
	is_int(sum, 0, "an IPU without work");
	busy_ring_add(&registry_slot(&r, 1)->ring, START - SECOND / 4, START);
	busy_ring_add(&registry_slot(&r, 1)->ring, START - 60 * SECOND,
	    START - 59 * SECOND);
	busy_ring_add(&registry_slot(&r, 1)->ring, START, START + SECOND);
	status_history(&r, 1, START + SECOND / 2, percents);
	is_int(percents[STATUS_HISTORY - 1], 25, "the last whole second");
	is_int(percents[0], 100, "a minute ago");
	is_int(percents[1], 0, "and after it");
	registry_close(&r);
}

int
main(void)
{
	test_history();
	test_utilisation();
	test_next_program();
	test_foreign_slot();
	test_model();
	test_heat();
	test_words();
	return state_util_done();
}
