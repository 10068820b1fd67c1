/*
 * Text for people and for HTML and SVG: numbers with their thousands apart,
 * bytes and times with a unit, and names from outside made harmless.
 */
#ifndef IPU_ENGINE_PROFILE_MARKUP_H
#define IPU_ENGINE_PROFILE_MARKUP_H

#include <stdint.h>
#include <stdio.h>

enum { MARKUP_SIZE = 48 };

/* Any bytes as text of XML: < > & " escaped, '?' for what may not stand. */
void	markup_text(FILE *, const char *);

/* "1,211,970", "624.0 kB", "12.3 us" (with the letter mu), "76.9 %". */
const char	*markup_number(char out[MARKUP_SIZE], long long);
const char	*markup_bytes(char out[MARKUP_SIZE], double bytes);
const char	*markup_ns(char out[MARKUP_SIZE], double ns);
const char	*markup_share(char out[MARKUP_SIZE], double share);

/*
 * The unit in which all times of a table or an axis stand, and the decimals
 * that give the longest one three digits or more.
 */
struct markup_unit {
	const char	*name;		/* "ns", "us" (with mu), "ms", "s" */
	double		 ns;
	int		 decimals;
};
struct markup_unit	markup_time_unit(double longest_ns);

/* "0.05 ms": a tick of an axis, with the decimals that its steps need. */
const char	*markup_tick(char out[MARKUP_SIZE], double ns, double step_ns,
		    const struct markup_unit *);

/*
 * A figure of report.html: the number as a person reads it, and behind it, for
 * scripts, its name in summary.json (data-key) and its value (data-value).  A
 * '%' in the key stands for `index`: "ipus.%.stash.seen" and 2 give
 * "ipus.2.stash.seen".
 */
void	markup_figure_number(FILE *, const char *key, int index, double);
void	markup_figure_bytes(FILE *, const char *key, int index, double bytes);
void	markup_figure_share(FILE *, const char *key, int index, double share);

/*
 * A time in the unit, whose name the table's head has.  In summary.json it is
 * a number of ticks, as cycles, of so many ns: data-scale says how many units
 * a tick is.
 */
void	markup_figure_time(FILE *, const char *key, int index, double ticks,
	    double tick_ns, const struct markup_unit *);

#endif
