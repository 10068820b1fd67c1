/*
 * report.html: what only a profile of an outline has.
 */
#include "ipu/engine/profile/report_outline.h"

#include "ipu/engine/model/cycles_outline.h"
#include "ipu/engine/outline.h"
#include "ipu/engine/profile/chart_host.h"
#include "ipu/engine/profile/figures.h"
#include "ipu/engine/profile/markup.h"

enum { OPERATIONS_SHOWN = 20 };

/* A row of the table: a part of the calls, all together and one. */
static void
print_part(FILE *f, const char *name, const char *measured, double seconds,
    long calls)
{
	char	text[MARKUP_SIZE];

	fprintf(f, "<tr><th scope=\"row\">%s</th><td class=\"text\">%s</td>"
	    "<td>%s</td>", name, measured, markup_ns(text, seconds * 1e9));
	fprintf(f, "<td>%s</td></tr>\n", calls == 0 ? "" : markup_ns(text,
	    seconds * 1e9 / (double)calls));
}

void
report_outline_host(FILE *f, const struct profile_data *d)
{
	const struct profile_host	*h = d->about.host;

	if (h == NULL)
		return;
	fputs("<section id=\"host\">\n<h2>Calls</h2>\n", f);
	if (d->calls == 0) {
		fputs("<p>Nothing was run: all figures are modelled.</p>\n"
		    "</section>\n", f);
		return;
	}
	fprintf(f, "<p class=\"how\">This host computed the model itself, and "
	    "its times are measured; those of the chip are modelled. Calls: "
	    "%ld.</p>\n<div class=\"scroll\"><table id=\"host-times\">"
	    "<thead><tr><th class=\"text\">part</th>"
	    "<th class=\"text\">clock</th><th>all calls</th><th>a call</th>"
	    "</tr></thead>\n<tbody>\n", d->calls);
	print_part(f, "compile", "host, measured", h->compile_s, 0);
	print_part(f, "input", "host, measured", h->input_s, d->calls);
	print_part(f, "run", "host, measured", h->run_s, d->calls);
	print_part(f, "first run", "host, measured", h->first_run_s, 0);
	print_part(f, "output", "host, measured", h->output_s, d->calls);
	print_part(f, "run", "chip, modelled", figures_seconds(d,
	    PROFILE_MODELLED), d->calls);
	fputs("</tbody></table></div>\n", f);
	chart_host(f, d);
	fputs("</section>\n", f);
}

/* An operation and what it takes for a micro-batch. */
struct operation_row {
	const struct outline_operation	*op;
	int				 stage;
	double				 forward, backward;	/* cycles */
};

/* An insertion sort of the longest: the shortest falls out at the end. */
static void
keep_row(struct operation_row *rows, int *count,
    const struct operation_row *new)
{
	const double	cycles = new->forward + new->backward;
	int		i = *count;

	if (i == OPERATIONS_SHOWN) {
		if (cycles <= rows[i - 1].forward + rows[i - 1].backward)
			return;
		i--;
	} else {
		(*count)++;
	}
	for (; i > 0 && rows[i - 1].forward + rows[i - 1].backward < cycles;
	    i--)
		rows[i] = rows[i - 1];
	rows[i] = *new;
}

/* The longest into `rows`; returns the cycles of all. */
static double
find_rows(const struct profile_data *d, struct operation_row *rows, int *count)
{
	const struct outline	*o = d->config->outline;
	const struct cycles_target *t = &d->cycles->target;
	struct operation_row	 row;
	double			 sum = 0;
	int			 s, i, ipu;

	for (*count = s = 0; s < o->stage_count; s++) {
		ipu = schedule_ipu(&d->schedule.config, s);
		for (i = 0; i < o->stages[s].operation_count; i++) {
			row.op = &o->stages[s].operations[i];
			row.stage = s;
			row.forward = cycles_outline_forward(o, t, ipu,
			    row.op);
			row.backward = d->config->training ?
			    cycles_outline_backward(o, t, ipu, row.op) : 0;
			sum += row.forward + row.backward;
			keep_row(rows, count, &row);
		}
	}
	return sum;
}

static void
print_operation(FILE *f, const struct profile_data *d,
    const struct operation_row *r, double sum)
{
	char	text[MARKUP_SIZE];

	fputs("<tr><th scope=\"row\">", f);
	markup_text(f, r->op->name);
	fputs("</th><td class=\"text\">", f);
	markup_text(f, r->op->op);
	fprintf(f, "</td><td class=\"text\">%s</td>"
	    "<td class=\"text\">IPU %d</td>",
	    operation_class_words[r->op->class],
	    schedule_ipu(&d->schedule.config, r->stage));
	fprintf(f, "<td>%s</td>", markup_number(text,
	    (long long)r->forward));
	fprintf(f, "<td>%s</td>", markup_number(text,
	    (long long)r->backward));
	fprintf(f, "<td>%s</td></tr>\n", markup_share(text, sum > 0 ?
	    (r->forward + r->backward) / sum : 0));
}

void
report_outline_operations(FILE *f, const struct profile_data *d)
{
	struct operation_row	rows[OPERATIONS_SHOWN];
	double			sum;
	int			count, i;

	if (d->config->outline == NULL)
		return;
	sum = find_rows(d, rows, &count);
	fprintf(f, "<section id=\"operations\">\n<h2>Operations</h2>\n"
	    "<p class=\"how\">The %d that take the most cycles of a "
	    "micro-batch, modelled.</p>\n<div class=\"scroll\">"
	    "<table id=\"operation-cycles\"><thead><tr>"
	    "<th class=\"text\">name</th><th class=\"text\">operation</th>"
	    "<th class=\"text\">class</th><th class=\"text\">IPU</th>"
	    "<th>forward,<br>cycles</th><th>backward,<br>cycles</th>"
	    "<th>of all</th></tr></thead>\n<tbody>\n", count);
	for (i = 0; i < count; i++)
		print_operation(f, d, &rows[i], sum);
	fputs("</tbody></table></div>\n</section>\n", f);
}
