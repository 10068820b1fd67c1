/*
 * Training and testing a model on emulated IPUs: the common part of
 * mnist-pipeline and ipubox-train.  Read session_run() first, which does
 * everything; session_internal.h has its parts.
 */
#ifndef APPLETS_TRAIN_TRAIN_H
#define APPLETS_TRAIN_TRAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "applets/applet.h"
#include "ipu/engine/engine.h"

/* The run: the model of the file, changed by the command line. */
struct train_options {
	const char *applet; /* prefix of messages */
	char *command;	    /* owned; shown by gc-monitor */
	/* The command line as words, and the table of the applet's options. */
	int argc;
	char **argv; /* owned, but not its words */
	const struct option_row *rows;
	struct model_file file;
	struct run_choices choices;
	bool profile;
	const char *profile_dir;
	bool debug;	/* log more */
	bool generated; /* draw digits, read no data files */
	int samples;	/* number of generated samples */
	uint64_t seed;
	int replicas;		  /* in this process; 1 under poprun */
	size_t ipu_memory;	  /* bytes; 0: the chip's */
	bool memory_report, wide; /* wide: print all columns */
	const char *memory_json;  /* file of the memory report, or NULL */
	bool dump_schedule;	  /* print the schedules and run nothing */
	const char *save;	  /* check-point to write, or NULL */
	const char *load;	  /* check-point to start from, or NULL */
};

/* Run everything and print progress.  Returns 0, or -1 after it printed the
   reason, such as lack of data or IPUs, a lost instance or a failed write. */
int session_run(const struct train_options *);

/* Keys of the options. */
enum {
	TRAIN_BATCH_SIZE = OPTIONS_LONG,
	TRAIN_DEVICE_ITERATIONS,
	TRAIN_GRADIENT_ACCUMULATION,
	TRAIN_TEST_BATCH_SIZE,
	TRAIN_EPOCHS,
	TRAIN_LEARNING_RATE,
	TRAIN_PROFILE,
	TRAIN_PROFILE_DIR,
	TRAIN_STRATEGY,
	TRAIN_OFFLOAD_OPTIMISER,
	TRAIN_DEBUG,
	TRAIN_DATA_DIR,
	TRAIN_DATASET,
	TRAIN_SEED,
	TRAIN_SAMPLES,
	TRAIN_TEST_DEVICE_ITERATIONS,
	TRAIN_RECOMPUTE,
	TRAIN_OUTPUT_MODE,
	TRAIN_OUTPUT_RETURN_PERIOD,
	TRAIN_REPLICAS,
	TRAIN_STAGES,
	TRAIN_AUTO_STAGE,
	TRAIN_AUTO_ROUND,
	TRAIN_IPU_MEMORY,
	TRAIN_MEMORY_REPORT,
	TRAIN_WIDE,
	TRAIN_MEMORY_JSON,
	TRAIN_DUMP_SCHEDULE,
	TRAIN_SAVE,
	TRAIN_LOAD,
	TRAIN_LIST,
	TRAIN_PRINT,
	TRAIN_VERSION
};

/* Rows of both applets, after those with different defaults. */
#define TRAIN_ROWS \
	{ TRAIN_SAMPLES, "samples", "N", \
		"samples in the generated training set; the test set has a " \
		"sixth as many (default: 60000)" }, \
	    { TRAIN_TEST_DEVICE_ITERATIONS, "test-device-iterations", "N", \
		    "micro-batches per test call" }, \
	    { TRAIN_RECOMPUTE, "recompute", "[=BOOL]", \
		    "compute activations again in the backward pass instead " \
		    "of keeping them" }, \
	    { TRAIN_OUTPUT_MODE, "output-mode", "NAME", \
		    "results that training returns: final, every-n, all or " \
		    "sum" }, \
	    { TRAIN_OUTPUT_RETURN_PERIOD, "output-return-period", "N", \
		    "with every-n: return the result of every Nth " \
		    "micro-batch" }, \
	    { TRAIN_REPLICAS, "replicas", "N", \
		    "replicas in this process; not under poprun (default: " \
		    "1)" }, \
	    { TRAIN_STAGES, "stages", "LIST", \
		    "blocks of each stage, such as B1,B2/B3,B4" }, \
	    { TRAIN_AUTO_STAGE, "auto-stage", "NAME", \
		    "choose the stages: same-as-ipu or auto-increment" }, \
	    { TRAIN_AUTO_ROUND, "auto-round", NULL, \
		    "round the number of IPUs up to a power of two; the " \
		    "extra ones stay idle" }, \
	    { TRAIN_IPU_MEMORY, "ipu-memory", "BYTES", \
		    "memory of each IPU, such as 650k or 1M (default: " \
		    "897M)" }, \
	    { TRAIN_MEMORY_REPORT, "memory-report", NULL, \
		    "print what each IPU's memory holds" }, \
	    { TRAIN_WIDE, "wide", NULL, \
		    "print all columns of the memory report, whatever the " \
		    "terminal's width" }, \
	    { TRAIN_MEMORY_JSON, "memory-json", "FILE", \
		    "write the memory report as JSON to FILE" }, \
	    { TRAIN_DUMP_SCHEDULE, "dump-schedule", NULL, \
		    "print the schedule of each IPU, column by column, and " \
		    "exit" }, \
	    { TRAIN_SAVE, "save", "FILE", \
		    "write a check-point to FILE after each epoch" }, \
	    { TRAIN_LOAD, "load", "FILE", \
		    "continue from the check-point in FILE" }, \
	    { TRAIN_VERSION, "version", NULL, "print the version" }, \
	{ \
		'h', "help", NULL, "print this help" \
	}

#define TRAIN_SYNOPSIS \
	"[--batch-size N] [--device-iterations N] " \
	"[--gradient-accumulation N] [--test-batch-size N] " \
	"[--epochs N] [--learning-rate RATE] [--profile] " \
	"[--profile-dir DIR] [--strategy NAME] " \
	"[--offload-optimiser[=BOOL]] " \
	"[--debug] [--data-dir DIR] [--dataset NAME] [--seed N] " \
	"[--samples N] [--test-device-iterations N] " \
	"[--recompute[=BOOL]] [--output-mode NAME] " \
	"[--output-return-period N] " \
	"[--replicas N] [--stages LIST] [--auto-stage NAME] " \
	"[--auto-round] [--ipu-memory BYTES] [--memory-report] " \
	"[--wide] " \
	"[--memory-json FILE] [--dump-schedule] [--save FILE] [--load FILE]"

/* The possible values of these options. */
extern const struct option_values train_options_values[];

/* Begin with the unparsed command line and the defaults of options that no
   model file sets.  Copies argv but not its words, which must outlive the
   options. */
void train_options_init(struct train_options *, int argc, char **argv,
    const struct option_row *, const char *applet);
void train_options_release(struct train_options *);

/* Apply one option of the rows, but not TRAIN_LIST, _PRINT, _VERSION or 'h'.
   `file` must have the model's values already.  `text` is the argument (NULL:
   none) and must outlive the options. */
int train_options_take(struct train_options *, int key, const char *text,
    struct error *);

/* Call this after the last train_options_take().  -1: one call would take too
   many samples. */
int train_options_check(const struct train_options *, struct error *);

/* Digits for programs of the SDK (ipubox-link(7)): print the labels and then
   the pixels of generated digits, one byte each.  argv is DIGITS_WORD, train or
   test, their number, and the seed.  -1: the arguments are wrong. */
#define DIGITS_WORD "__digits"
int train_digits(int argc, char **argv, struct error *);

/*
 * A progress bar in tqdm's form:
 *
 *	Loss:0.1422 | Accuracy:95.78%: 100%|##########| 15/15 [00:01<00:00, ...]
 *
 * It is redrawn after each step, or drawn only once, at the end.
 */

struct progress {
	FILE *file; /* the output; NULL: draw nothing */
	bool redraw;
	int total;
	int64_t start_ns;
};

/* Start the time of a bar of `total` steps, at least 1, and draw it empty if
   `redraw`.  The other arguments: as in the struct. */
void progress_start(struct progress *, FILE *, bool redraw, int total);
/* Draw `done` of the total steps, with `text` before the bar; without `redraw`
   only if all are done.  The last step ends the line. */
void progress_show(const struct progress *, int done, const char *text);
/* End the line of a redrawn bar that stops early; not after its last step. */
void progress_stop(const struct progress *);

/* Print the line without a line break.  If it exceeds `columns` (0: no limit),
   the bar shrinks and is left out, then the rate, then the times; the text
   stays. */
void progress_print(FILE *, int done, int total, int64_t elapsed_ns,
    const char *text, int columns);

#endif
