/*
 * Sentences about a profile.  Each find_*() examines one trade-off and adds a
 * fact with its numbers, followed by successful advice.
 */
#include "ipu/profile/advice.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipu/profile/figures.h"

/* Limits for a note or a warning. */
static const double balance_high = 1.25;  /* slowest IPU / mean */
static const double exchange_high = 0.15; /* share of an IPU's time */
static const double host_high = 0.15;
static const double gain_high = 1.25;
static const double other_low = 0.97; /* rate of the other engine */

/* The findings and the advisor. */
struct finder {
	struct findings *f;
	const struct profile_data *d;
	struct advisor advisor;
	bool tries;
};

/* Write a number; a comma precedes each remaining group of three digits. */
static const char *
put_number(char out[FIGURES_SIZE], long long n)
{
	char digits[24];
	size_t size, i, to = 0;

	(void)snprintf(digits, sizeof(digits), "%lld", n < 0 ? -n : n);
	size = strlen(digits);
	if (n < 0)
		out[to++] = '-';
	for (i = 0; i < size; i++) {
		if (i > 0 && (size - i) % 3 == 0)
			out[to++] = ',';
		out[to++] = digits[i];
	}
	out[to] = '\0';
	return out;
}

/* Scale to the largest unit that leaves at least 1. */
static const char *
largest_unit(double *value, double step, const char *const *units)
{
	while (units[1] != NULL && *value >= step) {
		*value /= step;
		units++;
	}
	return *units;
}

static const char *
put_bytes(char out[FIGURES_SIZE], double bytes)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", NULL };
	const char *unit;

	/* As in Poplar: 1,024 bytes are a kB. */
	unit = largest_unit(&bytes, 1024, units);
	(void)snprintf(out, FIGURES_SIZE, "%.*f %s", unit == units[0] ? 0 : 1,
	    bytes, unit);
	return out;
}

static const char *const findings_levels[] = {
	[FINDING_GOOD] = "good",
	[FINDING_NOTE] = "note",
	[FINDING_WARNING] = "warning",
};

const char *
findings_level_name(enum finding_level level)
{
	return findings_levels[level];
}

static struct profile_finding *findings_add(struct finder *, enum finding_level,
    const char *topic, const char *, ...) __attribute__((format(printf, 4, 5)));
static void append_text(struct profile_finding *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

static struct profile_finding *
findings_add(struct finder *finder, enum finding_level level, const char *topic,
    const char *format, ...)
{
	struct profile_finding *n = &finder->f->list[finder->f->count++];
	va_list args;

	assert(finder->f->count <= FINDINGS_MAX);
	*n = (struct profile_finding){ .level = level, .topic = topic };
	va_start(args, format);
	(void)vsnprintf(n->text, sizeof(n->text), format, args);
	va_end(args);
	return n;
}

/* Append to the finding's text. */
static void
append_text(struct profile_finding *n, const char *format, ...)
{
	const size_t used = strlen(n->text);
	va_list args;

	va_start(args, format);
	(void)vsnprintf(n->text + used, sizeof(n->text) - used, format, args);
	va_end(args);
}

static bool
find_advice(struct finder *finder, enum advice_kind kind, struct advice *a)
{
	return finder->tries && advice_find(&finder->advisor, kind, a);
}

/* Return the cycles in which a stage, or an IPU, computes a micro-batch. */
static int64_t
stage_cycles(const struct profile_data *d, int stage)
{
	const struct cycles_stage *c;

	if (stage >= d->cycles->stage_count)
		return 0;
	c = &d->cycles->stages[stage];
	return d->config->training ? c->forward + c->recompute + c->backward :
				     c->forward;
}

static int64_t
ipu_cycles(const struct profile_data *d, int ipu)
{
	int64_t sum = 0;
	int s;

	for (s = 0; s < d->config->stages; s++)
		if (schedule_ipu(&d->schedule.config, s) == ipu)
			sum += stage_cycles(d, s);
	return sum;
}

/* Append the advice to its fact, with its figures and command: " With
   --strategy one-ipu this run would be 1.60 times as fast by the modelled
   clock".  The caller ends the sentence. */
static void
findings_advise(struct finder *finder, struct profile_finding *n,
    const struct advice *a)
{
	const struct advisor *advisor = &finder->advisor;
	struct strvec words;
	char *line;

	n->gain = a->gain;
	n->cycles = a->trial.cycles;
	n->ipus = a->trial.ipus;
	n->fullest_tile = a->trial.fullest_tile;
	if (n->level != FINDING_WARNING)
		n->level = a->gain >= gain_high ?
		    FINDING_WARNING :
		    FINDING_NOTE;
	strvec_init(&words);
	advice_command(&words, advisor->run, &a->file, a->auto_round);
	n->command = strvec_typed(words.items);
	strvec_release(&words);
	advice_command_changes(&words, advisor->run, &a->file, a->auto_round);
	line = strvec_typed(words.items);
	append_text(n,
	    " With %s this run would be %.2f times as fast by the modelled "
	    "clock",
	    line, a->gain);
	free(line);
	strvec_release(&words);
}

/* Append the effects on the other engine and on poprun, and end the
   sentence. */
static void
findings_advise_end(struct finder *finder, struct profile_finding *n,
    const struct advice *a)
{
	append_text(n, ".");
	if (a->other < other_low)
		append_text(n, " The %s would be %.2f times as fast.",
		    finder->d->config->training ? "test" : "training",
		    a->other);
	if (finder->advisor.run->poprun &&
	    a->trial.ipus != finder->advisor.ipus)
		append_text(n, " Also pass --ipus-per-replica %d to poprun.",
		    a->trial.ipus);
}

/* Add a finding that is only advice. */
static void
find_gain(struct finder *finder, enum advice_kind kind, const char *topic,
    const char *fact)
{
	struct profile_finding *n;
	struct advice a;

	if (!find_advice(finder, kind, &a))
		return;
	n = findings_add(finder, FINDING_NOTE, topic, "%s", fact);
	findings_advise(finder, n, &a);
	findings_advise_end(finder, n, &a);
}

/* The fullest tile, not the mean of the tiles, decides whether a model fits. */
static void
find_memory(struct finder *finder)
{
	const struct memory *memory = finder->d->memory;
	const int most = memory_fullest_ipu(memory);
	const struct memory_ipu *m = &memory->ipus[most];
	const double bytes = (double)memory_largest_tile(m);
	const double limit = (double)memory->target.tile_bytes;
	char a[FIGURES_SIZE], b[FIGURES_SIZE], c[FIGURES_SIZE];
	char e[FIGURES_SIZE];
	struct profile_finding *n;
	struct advice advice;

	n = findings_add(finder,
	    bytes > ADVICE_TILE_FULL * limit ? FINDING_WARNING : FINDING_GOOD,
	    "memory",
	    "IPU %d has the fullest tile: %s of %s (%s). The stash of "
	    "activations takes %s of that IPU.",
	    most, put_bytes(a, bytes), put_bytes(b, limit),
	    figures_put_share(c, bytes / limit),
	    put_bytes(e, (double)m->kinds[MEMORY_STASH]));
	if (!find_advice(finder, ADVICE_ROOM, &advice)) {
		if (finder->tries && n->level == FINDING_WARNING)
			append_text(n,
			    " No change that was tried frees enough of it; "
			    "more IPUs or smaller layers would.");
		return;
	}
	findings_advise(finder, n, &advice);
	append_text(n, ", with %s in its fullest tile",
	    put_bytes(a, (double)advice.trial.fullest_tile));
	findings_advise_end(finder, n, &advice);
}

/* Return the slowest IPU and set *mean to the mean cycles. */
static int
slowest_ipu(const struct profile_data *d, double *mean)
{
	int64_t sum = 0, most = 0, now;
	int i, slowest = 0;

	for (i = 0; i < d->ipus; i++) {
		sum += now = ipu_cycles(d, i);
		if (now > most) {
			most = now;
			slowest = i;
		}
	}
	*mean = (double)sum / d->ipus;
	return slowest;
}

/* In a pipeline a column lasts as long as its slowest stage.  One stage at a
   time, a micro-batch takes the sum of them, which no cut changes. */
static void
find_balance(struct finder *finder)
{
	const struct profile_data *d = finder->d;
	char a[FIGURES_SIZE], b[FIGURES_SIZE], blocks[128];
	struct profile_finding *n;
	struct advice advice;
	double mean;
	const int slowest = slowest_ipu(d, &mean);
	const int64_t most = ipu_cycles(d, slowest);
	const bool even = (double)most <= balance_high * mean;

	if (d->ipus == 1 || mean <= 0)
		return;
	figures_ipu_blocks(d, slowest, blocks, sizeof(blocks));
	if (d->config->strategy == STRATEGY_SHARDED) {
		(void)findings_add(finder, FINDING_GOOD, "balance",
		    "In a sharded run a micro-batch takes the sum of its "
		    "stages, so it does not matter how evenly the model is "
		    "cut.");
		return;
	}
	if (even)
		n = findings_add(finder, FINDING_GOOD, "balance",
		    "The stages are balanced: the slowest, IPU %d (%s), takes "
		    "%.2f times the mean.",
		    slowest, blocks, (double)most / mean);
	else
		n = findings_add(finder, FINDING_NOTE, "balance",
		    "IPU %d (%s) is the slowest: %s cycles per micro-batch, "
		    "%.1f times the mean of %s. A column lasts as long as its "
		    "slowest stage, so the others wait.",
		    slowest, blocks, put_number(a, most), (double)most / mean,
		    put_number(b, (long long)mean));
	if (find_advice(finder, ADVICE_CUT, &advice)) {
		findings_advise(finder, n, &advice);
		findings_advise_end(finder, n, &advice);
	} else if (finder->tries && n->level == FINDING_NOTE) {
		append_text(n,
		    " No other cut of the blocks that was tried is faster.");
	}
}

/* Report the cut with the most activations, and the IPU with the longest
   exchange. */
static void
find_exchange(struct finder *finder)
{
	const struct profile_data *d = finder->d;
	const int g = d->schedule.config.micro_batches;
	char a[FIGURES_SIZE], b[FIGURES_SIZE];
	const struct stage_link *widest = NULL;
	struct profile_finding *n;
	struct advice advice;
	double share = 0, one;
	int i, ipu = 0;

	for (i = 0; i < d->link_count; i++)
		if (d->links[i].activations[PROFILE_MODELLED] > 0 &&
		    (widest == NULL ||
			d->links[i].activations[PROFILE_MODELLED] >
			    widest->activations[PROFILE_MODELLED]))
			widest = &d->links[i];
	for (i = 0; i < d->ipus; i++) {
		one = figures_share(d, PROFILE_MODELLED, i, TRACE_EXCHANGE);
		if (one > share) {
			share = one;
			ipu = i;
		}
	}
	if (widest == NULL)
		return;
	n = findings_add(finder,
	    share > exchange_high ? FINDING_NOTE : FINDING_GOOD, "exchange",
	    "The widest cut is between IPU %d and IPU %d: %s of activations "
	    "per micro-batch. Exchange takes at most %s of an IPU's modelled "
	    "time (IPU %d).",
	    widest->from, widest->to,
	    put_bytes(a, (double)widest->activations[PROFILE_MODELLED] / g),
	    figures_put_share(b, share), ipu);
	/* In a pipeline the cut also decides the balance, and that finding has
	   the advice. */
	if (d->config->strategy == STRATEGY_SHARDED &&
	    find_advice(finder, ADVICE_CUT, &advice)) {
		findings_advise(finder, n, &advice);
		findings_advise_end(finder, n, &advice);
	}
}

/* Add the share of columns that the schedule itself leaves idle. */
static struct profile_finding *
bubble_fact(struct finder *finder)
{
	const struct profile_data *d = finder->d;
	const double idle = 1 -
	    figures_mean_utilisation(d, PROFILE_CLOSED_FORM);
	char a[FIGURES_SIZE];

	if (d->ipus == 1)
		return findings_add(finder, FINDING_GOOD, "update",
		    "The weight update takes %s of the modelled time.",
		    figures_put_share(a,
			(double)d->cycles->update / (double)d->cycles->total));
	if (d->config->strategy == STRATEGY_SHARDED)
		return findings_add(finder, FINDING_GOOD, "bubble",
		    "In a sharded run one IPU works at a time and the others "
		    "wait: %s of the columns are idle.",
		    figures_put_share(a, idle));
	return findings_add(finder, FINDING_GOOD, "bubble",
	    "Filling and flushing the pipeline leaves %s of the columns idle "
	    "(%s = %d).",
	    figures_put_share(a, idle), d->config->training ? "G" : "D",
	    d->schedule.config.micro_batches);
}

/* Advise more micro-batches between two flushes or weight updates. */
static void
find_bubble(struct finder *finder)
{
	const struct engine_config *c = finder->d->config;
	struct profile_finding *n;
	struct advice advice;
	const bool helps = find_advice(finder, ADVICE_ACCUMULATION, &advice);

	if (finder->d->ipus == 1 && !helps)
		return;
	n = bubble_fact(finder);
	if (!helps)
		return;
	findings_advise(finder, n, &advice);
	if (c->training)
		append_text(n,
		    ", and an update would take %d samples instead of %d",
		    advice.file.batch_size * advice.file.gradient_accumulation *
			c->total_replicas,
		    c->micro_batch * c->gradient_accumulation *
			c->total_replicas);
	findings_advise_end(finder, n, &advice);
}

/* Add "This model runs faster on 1 IPU than on 4." */
static void
find_ipus(struct finder *finder)
{
	const int now = finder->advisor.ipus;
	struct profile_finding *n;
	struct advice advice;
	int then;

	if (!find_advice(finder, ADVICE_IPUS, &advice) &&
	    !find_advice(finder, ADVICE_FEWER_IPUS, &advice))
		return;
	then = advice.trial.ipus;
	n = findings_add(finder, FINDING_NOTE, "IPUs",
	    "This model runs %s on %d IPU%s %s on %d.",
	    advice.gain < ADVICE_LEAST_GAIN ? "as fast" : "faster", then,
	    then == 1 ? "" : "s",
	    advice.gain < ADVICE_LEAST_GAIN ? "as" : "than", now);
	findings_advise(finder, n, &advice);
	if (then < now)
		append_text(n, ", and %d IPU%s%s would be free", now - then,
		    now - then == 1 ? "" : "s",
		    finder->d->config->total_replicas > 1 ? " of each replica" :
							    "");
	findings_advise_end(finder, n, &advice);
}

static void
find_host(struct finder *finder)
{
	const struct profile_data *d = finder->d;
	char a[FIGURES_SIZE];
	double share = 0, one;
	int i, ipu = 0;

	for (i = 0; i < d->ipus; i++) {
		one = figures_share(d, PROFILE_MODELLED, i, TRACE_HOST_IN) +
		    figures_share(d, PROFILE_MODELLED, i, TRACE_HOST_OUT);
		if (one > share) {
			share = one;
			ipu = i;
		}
	}
	if (share > host_high)
		(void)findings_add(finder, FINDING_NOTE, "host I/O",
		    "IPU %d waits for the host for %s of its modelled time.",
		    ipu, figures_put_share(a, share));
	if (d->about.host == NULL &&
	    d->processors < d->ipus * d->config->local_replicas)
		(void)findings_add(finder, FINDING_NOTE, "host time",
		    "This host ran %d IPUs on %d processor%s, so not all of "
		    "them could compute at once: measured on it, utilisation "
		    "is at most %s, whatever the schedule.",
		    d->ipus * d->config->local_replicas, d->processors,
		    d->processors == 1 ? "" : "s",
		    figures_put_share(a,
			(double)d->processors /
			    (d->ipus * d->config->local_replicas)));
}

/* Say so if no trial helped. */
static void
find_nothing(struct finder *finder)
{
	int i;

	for (i = 0; i < finder->f->count; i++)
		if (finder->f->list[i].command != NULL)
			return;
	if (finder->tries)
		(void)findings_add(finder, FINDING_GOOD, "advice",
		    "None of the %d changes that were tried (cut, strategy, "
		    "number of IPUs, micro-batches, memory) would make this "
		    "run %.0f %% faster by the modelled clock.",
		    finder->advisor.tried, 100 * (ADVICE_LEAST_GAIN - 1));
}

/* Findings in the order in which a user cuts a model. */
void
findings_init(struct findings *f, const struct profile_data *d)
{
	struct finder finder = { .f = f, .d = d };

	f->count = 0;
	finder.tries = advice_begin(&finder.advisor, d) == 0;
	find_ipus(&finder);
	find_gain(&finder, ADVICE_STRATEGY, "strategy",
	    "Another strategy is faster.");
	find_balance(&finder);
	find_bubble(&finder);
	find_gain(&finder, ADVICE_MICRO_BATCH, "micro-batch",
	    "The same samples in micro-batches of another size take less "
	    "time.");
	find_memory(&finder);
	find_gain(&finder, ADVICE_KEEP, "recompute",
	    "The activations would fit without being computed again.");
	find_gain(&finder, ADVICE_ON_CHIP, "off-loading",
	    "The optimiser's state would fit on the chip.");
	find_exchange(&finder);
	find_host(&finder);
	find_nothing(&finder);
}

void
findings_release(struct findings *f)
{
	while (f->count > 0)
		free(f->list[--f->count].command);
}
