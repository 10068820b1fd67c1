/*
 * Sentences about a profile.  Each find_*() looks at one trade-off and adds
 * what it found with findings_add(); the limits stand at the top.
 */
#include "ipu/engine/profile/findings.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "ipu/engine/profile/figures.h"
#include "ipu/engine/profile/markup.h"

/* Where a figure becomes worth a warning. */
static const double	memory_high = 0.9;	/* of a tile */
static const double	balance_high = 1.25;	/* slowest IPU over the mean */
static const double	exchange_high = 0.15;	/* of an IPU's time */
static const double	host_high = 0.15;
static const double	bubble_aim = 0.1;

static const char *const findings_levels[] = {
	[FINDING_GOOD] = "good",
	[FINDING_NOTE] = "note",
	[FINDING_WARNING] = "warning"
};

const char *
findings_level_name(enum finding_level level)
{
	return findings_levels[level];
}

static void	findings_add(struct findings *, enum finding_level,
    const char *topic,
		    const char *, ...) __attribute__((format(printf, 4, 5)));

static void
findings_add(struct findings *f, enum finding_level level, const char *topic,
    const char *format, ...)
{
	struct profile_finding	*n = &f->list[f->count++];
	va_list		 args;

	assert(f->count <= FINDINGS_MAX);
	n->level = level;
	n->topic = topic;
	va_start(args, format);
	(void)vsnprintf(n->text, sizeof(n->text), format, args);
	va_end(args);
}

/* Cycles that a stage and an IPU compute for a micro-batch. */
static int64_t
stage_cycles(const struct profile_data *d, int stage)
{
	const struct cycles_stage	*c;

	if (stage >= d->cycles->stage_count)
		return 0;
	c = &d->cycles->stages[stage];
	return d->config->training ? c->forward + c->recompute + c->backward :
	    c->forward;
}

static int64_t
ipu_cycles(const struct profile_data *d, int ipu)
{
	int64_t	sum = 0;
	int	s;

	for (s = 0; s < d->config->stages; s++)
		if (schedule_ipu(&d->schedule.config, s) == ipu)
			sum += stage_cycles(d, s);
	return sum;
}

/* The fullest tile decides whether a model fits, not the mean of the tiles. */
static void
find_memory(struct findings *f, const struct profile_data *d)
{
	const double	limit = (double)d->memory->target.tile_bytes;
	char		a[MARKUP_SIZE], b[MARKUP_SIZE], c[MARKUP_SIZE];
	char		e[MARKUP_SIZE];
	const struct memory_ipu	*m;
	int		i, most = 0;
	double		bytes;

	for (i = 1; i < d->ipus; i++)
		if (d->memory->ipus[i].tiles[d->memory->ipus[i].largest_tile] >
		    d->memory->ipus[most].tiles[d->memory->ipus[most].
		    largest_tile])
			most = i;
	m = &d->memory->ipus[most];
	bytes = (double)m->tiles[m->largest_tile];
	findings_add(f, bytes > memory_high * limit ? FINDING_WARNING :
	    FINDING_GOOD,
	    "memory", "IPU %d has the fullest tile: %s of %s (%s). The stash "
	    "of activations takes %s of that IPU%s.", most,
	    markup_bytes(a, bytes), markup_bytes(b, limit),
	    markup_share(c, bytes / limit),
	    markup_bytes(e, (double)m->kinds[MEMORY_STASH]),
	    bytes <= memory_high * limit ? "" : d->config->recompute ?
	    ": off-load the optimiser, or cut the model over more IPUs" :
	    ": recompute, off-load the optimiser, or cut the model over more "
	    "IPUs");
}

/* Two neighbours that fit into the time of the slowest together. */
static void
find_pair(struct findings *f, const struct profile_data *d, int64_t slowest)
{
	char	one[128], other[128], cycles[MARKUP_SIZE];
	int	i;

	for (i = 0; i + 1 < d->ipus; i++) {
		const int64_t	sum = ipu_cycles(d, i) + ipu_cycles(d, i + 1);

		if (sum > slowest)
			continue;
		figures_ipu_blocks(d, i, one, sizeof(one));
		figures_ipu_blocks(d, i + 1, other, sizeof(other));
		findings_add(f, FINDING_NOTE, "balance",
		    "%s and %s together take %s "
		    "cycles a micro-batch, no longer than the slowest: on one "
		    "IPU they would cost no time and free the other.", one,
		    other, markup_number(cycles, sum));
		return;
	}
}

/*
 * A column lasts as long as its slowest stage: slowest over mean is what is
 * lost.
 */
static void
find_balance(struct findings *f, const struct profile_data *d)
{
	char	a[MARKUP_SIZE], b[MARKUP_SIZE], blocks[128];
	int64_t	sum = 0, most = 0;
	int	i, slowest = 0;
	double	mean;

	for (i = 0; i < d->ipus; i++) {
		sum += ipu_cycles(d, i);
		if (ipu_cycles(d, i) > most) {
			most = ipu_cycles(d, i);
			slowest = i;
		}
	}
	mean = (double)sum / d->ipus;
	if (d->ipus == 1 || mean <= 0)
		return;
	figures_ipu_blocks(d, slowest, blocks, sizeof(blocks));
	if ((double)most <= balance_high * mean) {
		findings_add(f, FINDING_GOOD, "balance",
		    "The stages are balanced: the "
		    "slowest, IPU %d (%s), takes %.2f times the mean.",
		    slowest, blocks, (double)most / mean);
		return;
	}
	findings_add(f, FINDING_WARNING, "balance",
	    "IPU %d (%s) is the slowest: %s "
	    "cycles a micro-batch, %.1f times the mean of %s. A column lasts "
	    "as long as its slowest stage, so the others wait; %s would make "
	    "it up to %.1f times as fast.", slowest, blocks,
	    markup_number(a, most), (double)most / mean,
	    markup_number(b, (long long)mean),
	    strchr(blocks, ',') != NULL ? "moving a block off it" :
	    "more blocks, cut more evenly,", (double)most / mean);
	find_pair(f, d, most);
}

/* The cut with the most activations, and the IPU that exchanges the longest. */
static void
find_exchange(struct findings *f, const struct profile_data *d)
{
	const int	g = d->schedule.config.micro_batches;
	char		a[MARKUP_SIZE], b[MARKUP_SIZE];
	const struct stage_link *widest = NULL;
	double		share = 0, one;
	int		i, ipu = 0;

	for (i = 0; i < d->link_count; i++)
		if (d->links[i].activations[PROFILE_MODELLED] > 0 &&
		    (widest == NULL || d->links[i].activations[
		    PROFILE_MODELLED] > widest->activations[PROFILE_MODELLED]))
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
	findings_add(f, share > exchange_high ? FINDING_WARNING : FINDING_GOOD,
	    "exchange", "The widest cut is between IPU %d and IPU %d: %s of "
	    "activations a micro-batch. Exchange takes at most %s of an IPU's "
	    "modelled time (IPU %d)%s.", widest->from, widest->to,
	    markup_bytes(a, (double)widest->activations[PROFILE_MODELLED] / g),
	    markup_share(b, share), ipu, share > exchange_high ?
	    ": cut the model where its tensors are smaller" : "");
}

/*
 * The number that leaves a tenth idle: (N - 1) / (G + N - 1) = 0.1, so G = 9
 * (N - 1), 27 for four stages.
 */
static void
find_bubble(struct findings *f, const struct profile_data *d)
{
	const struct schedule_config	*c = &d->schedule.config;
	const int	n = c->stages;
	const char	*letter = c->training ? "G" : "D";
	char		a[MARKUP_SIZE], b[MARKUP_SIZE];
	double		bubble = 1 - figures_mean_utilisation(d,
	    PROFILE_CLOSED_FORM);
	int		wanted = (int)((n - 1) / bubble_aim + 0.5) - (n - 1);
	int		g = c->micro_batches;

	if (d->ipus == 1)
		return;
	if (c->strategy == STRATEGY_SHARDED) {
		if (g < 2 * n - 1)
			g = 2 * n - 1;
		findings_add(f, FINDING_NOTE, "bubble",
		    "Sharded, one IPU works at a "
		    "time and the others wait (%s idle). A pipeline with %s = "
		    "%d would be N G / (G + N - 1) = %.2f times as fast with "
		    "balanced stages.", markup_share(a, bubble), letter, g,
		    (double)n * g / (g + n - 1));
		return;
	}
	if (bubble <= bubble_aim) {
		findings_add(f, FINDING_GOOD, "bubble",
		    "Filling and flushing the "
		    "pipeline leaves %s of the columns idle (%s = %d).",
		    markup_share(a, bubble), letter, g);
		return;
	}
	findings_add(f, FINDING_NOTE, "bubble",
	    "Filling and flushing the pipeline "
	    "leaves %s of the columns idle (%s = %d); %s = %d would leave %s.",
	    markup_share(a, bubble), letter, g, letter, wanted,
	    markup_share(b, (double)(n - 1) / (wanted + n - 1)));
}

static void
findings_find_host(struct findings *f, const struct profile_data *d)
{
	char	a[MARKUP_SIZE];
	double	share = 0, one;
	int	i, ipu = 0;

	for (i = 0; i < d->ipus; i++) {
		one = figures_share(d, PROFILE_MODELLED, i, TRACE_HOST_IN) +
		    figures_share(d, PROFILE_MODELLED, i, TRACE_HOST_OUT);
		if (one > share) {
			share = one;
			ipu = i;
		}
	}
	if (share > host_high)
		findings_add(f, FINDING_NOTE, "host I/O",
		    "IPU %d waits for the host "
		    "for %s of its modelled time.", ipu,
		    markup_share(a, share));
	if (d->processors < d->ipus * d->config->local_replicas)
		findings_add(f, FINDING_NOTE, "host time",
		    "This host ran %d IPUs on "
		    "%d processor%s, so not all of them could compute at once: "
		    "measured on it, utilisation is at most %s, whatever the "
		    "schedule.", d->ipus * d->config->local_replicas,
		    d->processors, d->processors == 1 ? "" : "s",
		    markup_share(a, (double)d->processors /
		    (d->ipus * d->config->local_replicas)));
}

/* In the order in which whoever cuts a model would ask. */
void
findings_init(struct findings *f, const struct profile_data *d)
{
	f->count = 0;
	find_balance(f, d);
	find_bubble(f, d);
	find_memory(f, d);
	find_exchange(f, d);
	findings_find_host(f, d);
}
