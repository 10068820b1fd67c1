/*
 * report.html: device memory by kind and by tile, and the target block that
 * Poplar's programs print.
 */
#include "ipu/engine/profile/report_memory.h"

#include "ipu/engine/profile/chart_tiles.h"
#include "ipu/engine/profile/figures.h"
#include "ipu/engine/profile/markup.h"

static void
report_memory_print_legend(FILE *f)
{
	int	k;

	fputs("<div class=\"legend\">", f);
	for (k = 0; k < MEMORY_KINDS; k++)
		fprintf(f, "<span><i class=\"m%d\"></i>%s</span>", k,
		    memory_kind_name((enum memory_kind)k));
	fputs("</div>\n", f);
}

/* A bar an IPU, as long as its share of the fullest one's. */
static void
report_memory_print_bars(FILE *f, const struct profile_data *d)
{
	char	text[MARKUP_SIZE];
	size_t	most = 1;
	int	i, k;

	for (i = 0; i < d->ipus; i++)
		if (d->memory->ipus[i].total > most)
			most = d->memory->ipus[i].total;
	fputs("<div class=\"bars\">\n", f);
	for (i = 0; i < d->ipus; i++) {
		const struct memory_ipu	*m = &d->memory->ipus[i];

		fprintf(f, "<span>IPU %d</span><div class=\"bar\">", i);
		for (k = 0; k < MEMORY_KINDS; k++)
			if (m->kinds[k] > 0)
				fprintf(f, "<i class=\"m%d\" style=\""
				    "width:%.3f%%\" title=\"%s: %s\"></i>", k,
				    100 * (double)m->kinds[k] / (double)most,
				    memory_kind_name((enum memory_kind)k),
				    markup_bytes(text, (double)m->kinds[k]));
		fputs("</div><span class=\"n\">", f);
		markup_figure_bytes(f, "ipus.%.memory.total", i,
		    (double)m->total);
		fputs("</span>\n", f);
	}
	fputs("</div>\n", f);
}

/* The name of a kind in summary.json, '%' for the IPU. */
static void
print_kind(FILE *f, int kind, int ipu, double bytes)
{
	char	key[96], *c;

	(void)snprintf(key, sizeof(key), "ipus.%%.memory.kinds.%s",
	    memory_kind_name((enum memory_kind)kind));
	for (c = key; *c != '\0'; c++)
		if (*c == ' ')
			*c = '_';
	markup_figure_bytes(f, key, ipu, bytes);
}

static void
print_table(FILE *f, const struct profile_data *d)
{
	int	i, k;

	fputs("<div class=\"scroll\"><table id=\"memory-kinds\"><thead><tr>"
	    "<th class=\"text\">IPU</th>", f);
	for (k = 0; k < MEMORY_KINDS; k++)
		fprintf(f, "<th>%s</th>",
		    memory_kind_name((enum memory_kind)k));
	fputs("<th>off the<br>chip</th><th>fullest<br>tile</th>"
	    "<th>tile<br>balance</th></tr></thead>\n<tbody>\n", f);
	for (i = 0; i < d->ipus; i++) {
		const struct memory_ipu	*m = &d->memory->ipus[i];
		const double	most = (double)memory_largest_tile(m);

		fprintf(f, "<tr><th scope=\"row\">IPU %d</th>", i);
		for (k = 0; k < MEMORY_KINDS; k++) {
			fputs("<td>", f);
			print_kind(f, k, i, (double)m->kinds[k]);
			fputs("</td>", f);
		}
		fputs("<td>", f);
		markup_figure_bytes(f, "ipus.%.memory.streaming", i,
		    (double)m->streaming);
		fputs("</td><td>", f);
		markup_figure_bytes(f, "ipus.%.memory.fullest_tile_bytes", i,
		    most);
		fputs("</td><td>", f);
		markup_figure_share(f, "ipus.%.memory.tile_balance", i, most <=
		    0 ?
		    1 : (double)m->total / (most * d->memory->target.tiles));
		fputs("</td></tr>\n", f);
	}
	fputs("</tbody></table></div>\n", f);
}

void
report_memory_tiles(FILE *f, const struct profile_data *d)
{
	size_t	n;
	int	i;

	fputs("<section id=\"memory\">\n<h2>Device memory</h2>\n"
	    "<p class=\"how\">What the plan puts on each IPU, worked out "
	    "before the run; the code is an estimate.</p>\n", f);
	for (n = 0; n < d->memory->notes.count; n++) {
		fputs("<p class=\"how\">", f);
		markup_text(f, d->memory->notes.items[n]);
		fputs(".</p>\n", f);
	}
	report_memory_print_legend(f);
	report_memory_print_bars(f, d);
	print_table(f, d);
	for (i = 0; i < d->ipus; i++) {
		fprintf(f, "<h3>Tiles of IPU %d</h3>\n", i);
		chart_tiles(f, d, i);
	}
	fputs("</section>\n", f);
}

static void
row(FILE *f, const char *name, const char *value)
{
	fprintf(f, "<dt>%s</dt><dd>%s</dd>\n", name, value);
}

static void
row_number(FILE *f, const char *name, long long n)
{
	char	text[MARKUP_SIZE];

	row(f, name, markup_number(text, n));
}

static void
print_target(FILE *f, const struct profile_data *d)
{
	const struct memory_target	*t = &d->memory->target;
	const double	bytes = (double)t->tile_bytes;
	char		text[MARKUP_SIZE];
	char		number[MARKUP_SIZE];

	fputs("<div><h3>Target</h3><dl>\n", f);
	row_number(f, "Number of IPUs", d->ipus);
	row_number(f, "Tiles per IPU", t->tiles);
	row_number(f, "Total Tiles", (long long)t->tiles * d->ipus);
	(void)snprintf(text, sizeof(text), "%.1f kB", bytes / 1024);
	row(f, "Memory Per-Tile", text);
	(void)snprintf(text, sizeof(text), "%s.%d MB", markup_number(number,
	    (long long)(bytes * t->tiles * d->ipus / (1 << 20))),
	    (int)(bytes * t->tiles * d->ipus / (1 << 20) * 10) % 10);
	row(f, "Total Memory", text);
	(void)snprintf(text, sizeof(text), "%s.%d MHz", markup_number(number,
	    (long long)d->cycles->target.clock_mhz),
	    (int)(d->cycles->target.clock_mhz * 10) % 10);
	row(f, "Clock Speed (approx)", text);
	row_number(f, "Number of Replicas", d->config->total_replicas);
	row_number(f, "IPUs per Replica", d->ipus);
	fputs("</dl></div>\n", f);
}

void
report_memory_target(FILE *f, const struct profile_data *d)
{
	const struct engine_config	*c = d->config;

	fputs("<section id=\"target\">\n<h2>Run</h2>\n<div class=\"two\">\n",
	    f);
	print_target(f, d);
	fputs("<div><h3>Configuration</h3><dl>\n<dt>Program</dt><dd>", f);
	markup_text(f, d->about.program);
	fputs("</dd>\n<dt>Model</dt><dd>", f);
	markup_text(f, d->about.model);
	fputs("</dd>\n", f);
	row_number(f, "Parameters", (long long)engine_config_parameters(c));
	row(f, "Strategy", figures_strategy_name(c->strategy));
	row_number(f, "Micro-batch (samples)", c->micro_batch);
	if (c->training)
		row_number(f, "Gradient accumulation",
		    c->gradient_accumulation);
	row_number(f, "Device iterations", c->device_iterations);
	if (c->training) {
		row(f, "Recomputation", c->recompute ? "on" : "off");
		row(f, "Optimiser state", c->offload_optimiser ?
		    "off the chip" : "on the chip");
	}
	fputs("<dt>Calls</dt><dd>", f);
	markup_figure_number(f, "run.calls", 0, (double)d->calls);
	fputs("</dd>\n<dt>Samples</dt><dd>", f);
	markup_figure_number(f, "run.samples", 0, (double)figures_samples(d));
	fputs("</dd>\n</dl></div>\n</div>\n</section>\n", f);
}
