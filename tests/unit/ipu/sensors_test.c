/* Utilisation and the sensor model, with time as a parameter. */
#include "ipu/sensors.h"

#include <string.h>

#include "core/base/array.h"
#include "core/base/text.h"
#include "ipu/status.h"
#include "tests/unit/tap.h"

#define SECOND	INT64_C(1000000000)
#define START	(INT64_C(1700000000) * SECOND)

static struct ipu_slot
busy_slot(int64_t session_ns, int64_t last_ns)
{
	struct ipu_slot	slot;

	memset(&slot, 0, sizeof(slot));
	slot.attached_ns = START;
	slot.session_busy_ns = (uint64_t)session_ns;
	slot.last_busy_ns = (uint64_t)last_ns;
	return slot;
}

static void
test_utilisation(void)
{
	static const struct {
		int64_t	busy, last, now;	/* seconds since START */
		double	recent, session;
	} rows[] = {
		{ 0, 0, 0, 0.0, 0.0 },		/* just attached */
		{ 0, 0, 10, 0.0, 0.0 },
		{ 5, 10, 10, 0.5, 0.5 },
		{ 5, 9, 10, 0.5, 0.5 },		/* a second ago is recent */
		{ 5, 8, 10, 0.0, 0.5 },		/* two are not */
		{ 20, 10, 10, 1.0, 1.0 },	/* never above one */
		{ 5, 0, -5, 0.0, 0.0 },		/* a clock set back */
	};
	struct sensors	s;
	struct ipu_slot	slot;
	size_t		i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		slot = busy_slot(rows[i].busy * SECOND,
		    START + rows[i].last * SECOND);
		sensors_read(&s, MACHINE_M2000, &slot,
		    START + rows[i].now * SECOND);
		is_near(s.recent, rows[i].recent, 1e-9, "recent");
		is_near(s.session, rows[i].session, 1e-9, "session");
	}
	sensors_read(&s, MACHINE_M2000, NULL, START);
	is_near(s.session, 0.0, 0.0, "a free IPU does nothing");
}

static void
test_model(void)
{
	struct sensors	s;
	struct ipu_slot	slot = busy_slot(30 * SECOND, START + 60 * SECOND);

	sensors_read(&s, MACHINE_M2000, NULL, START);
	is_int(s.clock_mhz, 1330, "M2000 clock");
	is_near(s.power_w, 41.0, 1e-9, "M2000 idle");
	is_near(s.die_c, 33.0, 1e-9, "M2000 cool");
	/* u = 1/2, t = 60 s: 33 + 10 * 0.5 * (1 - e^-2) */
	sensors_read(&s, MACHINE_M2000, &slot, START + 60 * SECOND);
	is_near(s.power_w, 82.5, 1e-9, "M2000 at half load");
	is_near(s.die_c, 37.3233, 1e-3, "M2000 after a minute");
	is_near(s.board_c, 34.1880, 1e-3, "and its board");
	slot = busy_slot(3600 * SECOND, START + 3600 * SECOND);
	sensors_read(&s, MACHINE_BOW2000, &slot, START + 3600 * SECOND);
	is_int(s.clock_mhz, 1850, "Bow clock");
	is_near(s.power_w, 150.0, 1e-9, "Bow at full load");
	is_near(s.die_c, 42.0, 1e-6, "Bow after an hour");
	is_near(s.board_c, 33.0, 1e-6, "and its board");
}

static void
test_words(void)
{
	static const struct {
		int64_t		 seconds;
		const char	*text;
	} times[] = {
		{ 0, "0s" }, { 10, "10s" }, { 59, "59s" }, { 60, "1m0s" },
		{ 63, "1m3s" }, { 3599, "59m59s" }, { 3600, "1h0m0s" },
		{ 3723, "1h2m3s" }, { 90061, "25h1m1s" }, { -5, "0s" },
	};
	static const struct {
		const char	*in, *out;
	} words[] = {
		{ "python3", "python3" },
		{ "j\xc3\xb6rg", "j\xc3\xb6rg" },
		{ "a\x1b[31mb\n", "a\\x1b[31mb\\x0a" },
		{ "cut \xc3", "cut \\xc3" },
		{ "\xff\xc0\x80", "\\xff\\xc0\\x80" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" }, /* a surrogate */
		{ "\xc2\x9b" "31m", "\\xc2\\x9b" "31m" }, /* CSI in C1 */
		{ "\xe2\x82\xac", "\xe2\x82\xac" },
		{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
	};
	char	text[READING_SIZE];
	size_t	i;

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

int
main(void)
{
	test_utilisation();
	test_model();
	test_words();
	return tap_done();
}
