/*
 * report.html from top to bottom; its longer sections are report_ipus.c and
 * report_memory.c.
 */
#include "ipu/engine/profile/report.h"

#include "ipu/engine/profile/chart.h"
#include "ipu/engine/profile/figures.h"
#include "ipu/engine/profile/findings.h"
#include "ipu/engine/profile/markup.h"
#include "ipu/engine/profile/report_ipus.h"
#include "ipu/engine/profile/report_memory.h"
#include "ipu/engine/profile/report_outline.h"
#include "ipu/engine/profile/timeline.h"

static void
print_head(FILE *f, const struct profile_data *d)
{
	char	why[FIGURES_WHY_SIZE];

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	    "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
	    "content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>", f);
	markup_text(f, d->about.model);
	fprintf(f, ": %s</title>\n<style>\n", d->about.engine);
	fputs(report_css_text, f);
	timeline_style(f);
	fputs("</style>\n</head>\n<body>\n<main>\n<header>\n<h1>", f);
	markup_text(f, d->about.model);
	fprintf(f, ": %s</h1>\n<p class=\"sub\"><code>", d->about.engine);
	markup_text(f, d->about.command);
	fputs("</code><br>", f);
	/* Of an outline, nothing where no device was taken. */
	if (d->about.device[0] != '\0') {
		markup_text(f, d->about.device);
		fputs(" &middot; ", f);
	}
	fprintf(f, "ipubox %s", IPUBOX_VERSION);
	if (d->config->total_replicas > d->config->local_replicas)
		fprintf(f, " &middot; instance %d", d->about.instance);
	fputs("</p>\n</header>\n", f);
	if (d->interrupted != NULL) {
		fputs("<p class=\"ended\">The run was ", f);
		markup_text(f, figures_interruption(d, why));
		fputs(". The figures are those of the calls that were "
		    "completed.</p>\n", f);
	}
}

static void
open_card(FILE *f, const char *label)
{
	fprintf(f, "<div class=\"card\"><span class=\"label\">%s</span><b>",
	    label);
}

static void
print_cards(FILE *f, const struct profile_data *d)
{
	const double	host = figures_seconds(d, PROFILE_HOST);
	const double	samples = (double)figures_samples(d);
	const struct markup_unit	unit = markup_time_unit(figures_ns(d,
	    PROFILE_MODELLED, (double)d->cycles->total));
	char		why[FIGURES_TEXT_SIZE];

	fputs("<div class=\"cards\">\n", f);
	open_card(f, "samples a second, this host");
	markup_figure_number(f, "run.host_samples_per_second", 0,
	    host > 0 ? samples / host : 0);
	fputs("</b></div>\n", f);
	open_card(f, "samples a second, modelled");
	markup_figure_number(f, "run.modelled_samples_per_second", 0,
	    figures_modelled_rate(d));
	fputs("</b></div>\n", f);
	open_card(f, "utilisation, closed form");
	markup_figure_share(f, "utilisation.closed_form", 0,
	    figures_mean_utilisation(d, PROFILE_CLOSED_FORM));
	fputs("</b></div>\n", f);
	open_card(f, "utilisation, modelled");
	markup_figure_share(f, "utilisation.modelled", 0,
	    figures_mean_utilisation(d, PROFILE_MODELLED));
	fputs("</b></div>\n", f);
	if (profile_data_has_steps(d)) {
		open_card(f, "utilisation, this host");
		markup_figure_share(f, "utilisation.host", 0,
		    figures_mean_utilisation(d, PROFILE_HOST));
		fputs("</b></div>\n", f);
	}
	open_card(f, d->config->training ? "device iteration with its update, "
	    "modelled" : "call, modelled");
	markup_figure_time(f, "cycles.iteration", 0, (double)d->cycles->total,
	    figures_ns(d, PROFILE_MODELLED, 1), &unit);
	fprintf(f, " %s</b></div>\n</div>\n", unit.name);
	figures_clocks_text(d, why, sizeof(why));
	if (why[0] != '\0') {
		fputs("<p class=\"how between\">", f);
		markup_text(f, why);
		fputs("</p>\n", f);
	}
}

static void
print_findings(FILE *f, const struct profile_data *d)
{
	struct findings	list;
	int		i;

	findings_init(&list, d);
	fputs("<section id=\"findings\">\n<h2>Findings</h2>\n"
	    "<ul class=\"findings\">\n", f);
	for (i = 0; i < list.count; i++) {
		fprintf(f, "<li class=\"%s\"><b>%s</b>",
		    findings_level_name(list.list[i].level),
		    list.list[i].topic);
		markup_text(f, list.list[i].text);
		if (list.list[i].command != NULL) {
			fputs("<br><code>", f);
			markup_text(f, list.list[i].command);
			fputs("</code>", f);
		}
		fputs("</li>\n", f);
	}
	fputs("</ul>\n</section>\n", f);
	findings_release(&list);
}

static void
print_schedule(FILE *f, const struct profile_data *d)
{
	const struct schedule_config	*c = &d->schedule.config;

	fprintf(f, "<section id=\"schedule\">\n<h2>Schedule</h2>\n"
	    "<p class=\"how\">%s, N = %d stages, %s = %d micro-batches. Point "
	    "at a box to follow its micro-batch.%s</p>\n",
	    figures_strategy_name(c->strategy), c->stages,
	    c->training ? "G" : "D", c->micro_batches,
	    d->schedule.columns > PROFILE_COLUMNS ?
	    " The first 128 columns are drawn." : "");
	timeline_legend(f, d);
	fputs("<div class=\"scroll\">\n", f);
	timeline_print(f, d, false);
	fputs("</div>\n</section>\n", f);
}

/* Of an outline there may be no steps: then there is nothing to draw. */
static void
print_host_clock(FILE *f, const struct profile_data *d)
{
	if (!profile_data_has_steps(d))
		return;
	fputs("<h3>Host time</h3>\n<p class=\"how\">", f);
	if (d->about.host == NULL)
		fprintf(f, "What happened on this host, where %d processor%s "
		    "ran the IPUs. Exchange takes no time of the host's.",
		    d->processors, d->processors == 1 ? "" : "s");
	else
		fputs("Measured: when this host computed what the IPUs would "
		    "have.", f);
	fputs("</p>\n", f);
	chart_iteration(f, d, PROFILE_HOST);
	chart_call(f, d, PROFILE_HOST);
}

static void
print_clocks(FILE *f, const struct profile_data *d)
{
	char	time[MARKUP_SIZE], cycles[MARKUP_SIZE];

	fputs("<section id=\"clocks\">\n<h2>One device iteration, to scale"
	    "</h2>\n", f);
	chart_legend(f, d);
	fprintf(f, "<h3>Modelled time</h3>\n<p class=\"how\">An estimate of "
	    "the chip: %s, %s cycles at %.0f MHz. In each column all IPUs wait "
	    "for the slowest.%s</p>\n", markup_ns(time, figures_ns(d,
	    PROFILE_MODELLED, (double)d->cycles->total)), markup_number(cycles,
	    d->cycles->total), d->cycles->target.clock_mhz, d->iterations > 1 ?
	    " All device iterations take equally long." : "");
	chart_iteration(f, d, PROFILE_MODELLED);
	chart_call(f, d, PROFILE_MODELLED);
	print_host_clock(f, d);
	fputs("</section>\n", f);
}

void
report_print(FILE *f, const struct profile_data *d)
{
	print_head(f, d);
	print_cards(f, d);
	print_findings(f, d);
	print_schedule(f, d);
	print_clocks(f, d);
	report_outline_host(f, d);
	report_ipus(f, d);
	report_outline_operations(f, d);
	report_memory_tiles(f, d);
	report_ipus_exchange(f, d);
	report_ipus_longest(f, d);
	report_memory_target(f, d);
	fputs("<footer>Beside this page: trace.json for Perfetto, "
	    "timeline.svg, schedule.txt, and summary.json with the figures. "
	    "ipubox-device(7) says how each is worked out.</footer>\n"
	    "</main>\n<script>\n", f);
	fputs(report_js_text, f);
	fputs("</script>\n</body>\n</html>\n", f);
}
