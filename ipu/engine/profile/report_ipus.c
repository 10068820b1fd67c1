/*
 * report.html: utilisation and time of each IPU by both clocks, the longest
 * steps, what goes between IPUs.
 */
#include "ipu/engine/profile/report_ipus.h"

#include "core/base/array.h"
#include "ipu/engine/profile/chart.h"
#include "ipu/engine/profile/figures.h"
#include "ipu/engine/profile/markup.h"

/* The unit of the IPUs' forward and backward by the model. */
static struct markup_unit
longest_sum(const struct profile_data *d)
{
	const int64_t	(*sums)[TRACE_KINDS] =
	    (const int64_t (*)[TRACE_KINDS])d->timings[PROFILE_MODELLED].sums;
	int64_t		 most = 0;
	int		 i;

	for (i = 0; i < d->ipus; i++) {
		if (sums[i][TRACE_FORWARD] > most)
			most = sums[i][TRACE_FORWARD];
		if (sums[i][TRACE_BACKWARD] > most)
			most = sums[i][TRACE_BACKWARD];
	}
	return markup_time_unit(figures_ns(d, PROFILE_MODELLED, (double)most));
}

static void
print_utilisation(FILE *f, const struct profile_data *d)
{
	const double	tick = figures_ns(d, PROFILE_MODELLED, 1);
	const struct markup_unit	unit = longest_sum(d);
	char	blocks[256];
	int	i;

	fprintf(f, "<div class=\"scroll\"><table id=\"utilisation\"><thead>"
	    "<tr><th class=\"text\">IPU</th><th class=\"text\">blocks</th>"
	    "<th>closed form</th><th>modelled</th><th>this host</th>"
	    "<th>bubble,<br>modelled</th><th>forward,<br>modelled, %s</th>"
	    "<th>backward,<br>modelled, %s</th><th>stash<br>planned</th>"
	    "<th>stash<br>seen</th></tr></thead>\n<tbody>\n", unit.name,
	    unit.name);
	for (i = 0; i < d->ipus; i++) {
		const int64_t	*c = d->timings[PROFILE_MODELLED].sums[i];
		const double	 u = figures_utilisation(d, PROFILE_MODELLED,
		    i);
		char		 bubble[MARKUP_SIZE];

		figures_ipu_blocks(d, i, blocks, sizeof(blocks));
		fprintf(f, "<tr><th scope=\"row\">IPU %d</th>"
		    "<td class=\"text\">", i);
		markup_text(f, blocks);
		fputs("</td><td>", f);
		markup_figure_share(f, "ipus.%.utilisation.closed_form", i,
		    figures_utilisation(d, PROFILE_CLOSED_FORM, i));
		fputs("</td><td>", f);
		markup_figure_share(f, "ipus.%.utilisation.modelled", i, u);
		fputs("</td><td>", f);
		if (profile_data_has_steps(d))
			markup_figure_share(f, "ipus.%.utilisation.host", i,
			    figures_utilisation(d, PROFILE_HOST, i));
		fprintf(f, "</td><td>%s</td><td>", markup_share(bubble, 1 - u));
		markup_figure_time(f, "ipus.%.modelled.cycles.forward", i,
		    (double)c[TRACE_FORWARD], tick, &unit);
		fputs("</td><td>", f);
		markup_figure_time(f, "ipus.%.modelled.cycles.backward", i,
		    (double)c[TRACE_BACKWARD], tick, &unit);
		fputs("</td><td>", f);
		markup_figure_number(f, "ipus.%.stash.planned", i,
		    figures_stash_planned(d, i));
		fputs("</td><td>", f);
		if (profile_data_has_steps(d))
			markup_figure_number(f, "ipus.%.stash.seen", i,
			    d->stash_seen[i]);
		fputs("</td></tr>\n", f);
	}
	fputs("</tbody></table></div>\n", f);
}

/* An IPU's whole time as a bar; what is left of it is idle. */
static void
report_ipus_print_bar(FILE *f, const struct profile_data *d,
    enum profile_clock clock,
    int ipu)
{
	/* In the order of the legend. */
	static const enum trace_kind	order[] = {
		TRACE_FORWARD, TRACE_RECOMPUTE, TRACE_BACKWARD, TRACE_UPDATE,
		TRACE_COLLECTIVE, TRACE_EXCHANGE, TRACE_HOST_IN,
		TRACE_HOST_OUT, TRACE_SYNC
	};
	char	text[MARKUP_SIZE];
	double	share, computed = 0;
	size_t	i;

	fprintf(f, "<span>IPU %d</span><div class=\"bar\">", ipu);
	for (i = 0; i < ARRAY_SIZE(order); i++) {
		share = figures_share(d, clock, ipu, order[i]);
		if (order[i] <= TRACE_UPDATE)
			computed += share;
		if (share > 0)
			fprintf(f, "<i class=\"k%d\" style=\"width:%.3f%%\" "
			    "title=\"%s: %s\"></i>", (int)order[i],
			    100 * share, figures_kind_name(order[i]),
			    markup_share(text, share));
	}
	fprintf(f, "</div><span class=\"n\">%s</span>\n",
	    markup_share(text, computed));
}

static void
report_ipus_print_bars(FILE *f, const struct profile_data *d,
    enum profile_clock clock,
    const char *title)
{
	int	i;

	fprintf(f, "<div><h3>%s</h3><div class=\"bars\">\n", title);
	for (i = 0; i < d->ipus; i++)
		report_ipus_print_bar(f, d, clock, i);
	fputs("</div></div>\n", f);
}

void
report_ipus(FILE *f, const struct profile_data *d)
{
	fputs("<section id=\"ipus\">\n<h2>Utilisation and bubble</h2>\n"
	    "<p class=\"how\">Forward and backward over all time but the "
	    "update's. The closed form counts columns of the schedule, as if "
	    "all stages took equally long; the model weighs them in cycles; ",
	    f);
	fputs(profile_data_has_steps(d) ? "this host's was measured.</p>\n" :
	    "of this host no steps were measured.</p>\n", f);
	print_utilisation(f, d);
	chart_legend(f, d);
	fputs("<div class=\"two\">\n", f);
	report_ipus_print_bars(f, d, PROFILE_MODELLED,
	    "Where the time goes: modelled");
	if (profile_data_has_steps(d))
		report_ipus_print_bars(f, d, PROFILE_HOST,
		    "Where the time goes: this host");
	fputs("</div>\n</section>\n", f);
}

/* Which step it was: of the host's micro-batch and call, else whose. */
static void
print_which(FILE *f, const struct profile_data *d, enum profile_clock clock,
    const struct time_span *s)
{
	char	blocks[256];

	if (clock == PROFILE_HOST) {
		fputs("<td>", f);
		if (s->step.kind != STEP_UPDATE)
			fprintf(f, "%d", s->step.micro_batch + 1);
		fprintf(f, "</td><td>%ld</td>", s->call + 1);
		return;
	}
	if (s->step.kind == STEP_UPDATE)
		figures_ipu_blocks(d, s->ipu, blocks, sizeof(blocks));
	else
		figures_stage_blocks(d, s->step.stage, blocks, sizeof(blocks));
	fputs("<td class=\"text\">", f);
	markup_text(f, blocks);
	fputs("</td>", f);
}

static void
print_longest(FILE *f, const struct profile_data *d, enum profile_clock clock)
{
	const struct timing	*t = &d->timings[clock];
	const char		*key = clock == PROFILE_HOST ?
	    "longest_host.%.ns" : "longest_modelled.%.cycles";
	const double		 longest = t->longest_count == 0 ? 0 :
	    (double)(t->longest[0].to - t->longest[0].from);
	const struct markup_unit unit = markup_time_unit(figures_ns(d, clock,
	    longest));
	int			 i;

	fprintf(f, "<div class=\"scroll\"><h3>%s</h3><table><thead><tr>"
	    "<th class=\"text\">step</th><th class=\"text\">IPU</th>%s"
	    "<th>%s</th></tr></thead>\n<tbody>\n",
	    clock == PROFILE_HOST ? "Host time" :
	    "Modelled, a micro-batch",
	    clock == PROFILE_HOST ? "<th>micro-batch</th><th>call</th>" :
	    "<th class=\"text\">blocks</th>",
	    unit.name);
	for (i = 0; i < t->longest_count; i++) {
		const struct time_span	*s = &t->longest[i];

		fprintf(f, "<tr><th scope=\"row\">%s</th><td class=\"text\">"
		    "IPU %d</td>", figures_kind_name(s->kind), s->ipu);
		print_which(f, d, clock, s);
		fputs("<td>", f);
		markup_figure_time(f, key, i, (double)(s->to - s->from),
		    figures_ns(d, clock, 1), &unit);
		fputs("</td></tr>\n", f);
	}
	fputs("</tbody></table></div>\n", f);
}

void
report_ipus_longest(FILE *f, const struct profile_data *d)
{
	fputs("<section id=\"longest\">\n<h2>The longest steps</h2>\n"
	    "<div class=\"two\">\n", f);
	print_longest(f, d, PROFILE_MODELLED);
	if (profile_data_has_steps(d))
		print_longest(f, d, PROFILE_HOST);
	fputs("</div>\n</section>\n", f);
}

/* A link's bytes: by the model, and of our own engine what it handed over. */
static void
print_link(FILE *f, const struct profile_data *d, int i)
{
	const struct stage_link	*l = &d->links[i];

	fprintf(f, "<tr><th scope=\"row\">IPU %d</th>"
	    "<td class=\"text\">IPU %d</td><td>", l->from, l->to);
	markup_figure_bytes(f, "links.%.iteration_activation_bytes", i,
	    (double)l->activations[PROFILE_MODELLED]);
	fputs("</td><td>", f);
	markup_figure_bytes(f, "links.%.iteration_gradient_bytes", i,
	    (double)l->gradients[PROFILE_MODELLED]);
	if (d->about.host == NULL) {
		fputs("</td><td>", f);
		markup_figure_bytes(f, "links.%.host_activation_bytes", i,
		    (double)l->activations[PROFILE_HOST]);
		fputs("</td><td>", f);
		markup_figure_bytes(f, "links.%.host_gradient_bytes", i,
		    (double)l->gradients[PROFILE_HOST]);
	}
	fputs("</td></tr>\n", f);
}

void
report_ipus_exchange(FILE *f, const struct profile_data *d)
{
	const bool	ours = d->about.host == NULL;
	int		i;

	fprintf(f, "<section id=\"exchange\">\n<h2>Exchange between IPUs</h2>\n"
	    "<p class=\"how\">Tensors of a device iteration%s.</p>\n", ours ?
	    ", and all that this run handed over, with the lanes that the "
	    "host's kernels leave empty" : "");
	if (d->link_count == 0) {
		fputs("<p>Nothing goes from one IPU to another.</p>\n"
		    "</section>\n", f);
		return;
	}
	fprintf(f, "<div class=\"scroll\"><table id=\"links\"><thead><tr>"
	    "<th class=\"text\">from</th><th class=\"text\">to</th>"
	    "<th>activations,<br>an iteration</th>"
	    "<th>gradients,<br>an iteration</th>%s</tr></thead>\n<tbody>\n",
	    ours ? "<th>activations,<br>this run</th>"
	    "<th>gradients,<br>this run</th>" : "");
	for (i = 0; i < d->link_count; i++)
		print_link(f, d, i);
	fputs("</tbody></table></div>\n</section>\n", f);
}
