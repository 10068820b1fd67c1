/*
 * The bar in tqdm's form, and what gives way on a narrow screen.
 */
#include "applets/train/train.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/terminal.h"
#include "tests/unit/tap.h"

#define B2 "\u2588\u2588"
#define B10 B2 B2 B2 B2 B2

static const struct {
	int done, total;
	int64_t elapsed_ms;
	const char *text;
	int columns;
	const char *wanted;
} rows[] = {
	{ 0, 15, 0, "", 0, "  0%|          | 0/15 [00:00<?, ?it/s]" },
	{ 15, 15, 1500, "", 0, "100%|" B10 "| 15/15 [00:01<00:00, 10.00it/s]" },
	{ 1, 8, 2000, "", 0,
	    " 12%|\u2588\u258e        | 1/8 [00:02<00:14,  2.00s/it]" },
	{ 3600, 7200, 3600000, "", 0,
	    " 50%|" B2 B2
	    "\u2588     | 3600/7200 [1:00:00<1:00:00,  1.00it/s]" },
	/* As wide as it is, then less of the bar, and none. */
	{ 15, 15, 1500, "Loss:0.1422 | Accuracy:95.78%", 79,
	    "Loss:0.1422 | Accuracy:95.78%: 100%|" B10
	    "| 15/15 [00:01<00:00, 10.00it/s]" },
	{ 15, 15, 1500, "Loss:0.1422 | Accuracy:95.78%", 74,
	    "Loss:0.1422 | Accuracy:95.78%: 100%|" B2 B2 B2
	    "| 15/15 [00:01<00:00, 10.00it/s]" },
	{ 15, 15, 1500, "Loss:0.1422 | Accuracy:95.78%", 70,
	    "Loss:0.1422 | Accuracy:95.78%: 100%| 15/15 [00:01<00:00, "
	    "10.00it/s]" },
	{ 15, 15, 1500, "Loss:0.1422 | Accuracy:95.78%", 66,
	    "Loss:0.1422 | Accuracy:95.78%: 100%| 15/15 [00:01<00:00]" },
	{ 15, 15, 1500, "Loss:0.1422 | Accuracy:95.78%", 50,
	    "Loss:0.1422 | Accuracy:95.78%: 100%| 15/15" },
	{ 0, 15, 0, "", 30, "  0%| 0/15 [00:00<?, ?it/s]" },
};

int
main(void)
{
	char *text;
	size_t i, size;
	FILE *f;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		f = open_memstream(&text, &size);
		progress_print(f, rows[i].done, rows[i].total,
		    rows[i].elapsed_ms * 1000000, rows[i].text,
		    rows[i].columns);
		(void)fclose(f);
		is_str(text, rows[i].wanted, rows[i].wanted);
		ok(rows[i].columns == 0 ||
			terminal_width(text) <= rows[i].columns,
		    "it fits");
		free(text);
	}
	return tap_done();
}
