/*
 * The frames and cells of gc-monitor's tables.  Widths are inner widths, in
 * characters; between two cells stands one '|'.
 */
#include "applets/gc-monitor/tables.h"

#include <string.h>

#include <bsd/string.h>

enum {
	FRAME_WIDTH = 98,
	PROCESS_COLUMNS = 117,
	COMMAND_WIDTH = 41,
	COMMAND_WIDTH_MAX = 4096
};

/*
 * Inner widths; 0 ends the row.  A rule has a '+' where its own row has a '|',
 * so the rule between two rows of different columns is that of the lower one:
 *
 *	+---------------+--------------------------------- ...
 *	|  gc-monitor   |        Partition: p1 [active] has ...
 *	+-------------+--------------------+--------+----- ...
 *	|    IPU-M    |       Serial       |IPU-M SW|Serve ...
 */
static const int title_widths[] = { 15, 80, 0 };
static const int device_widths[] = { 13, 20, 8, 14, 10, 6, 4, 6, 7, 0 };
static const int elsewhere_top_widths[] = { 62, 23, 0 };
static const int elsewhere_widths[] = { 4, 30, 14, 11, 11, 11, 0 };
static const int frame_widths[] = { FRAME_WIDTH, 0 };

/* Columns that a UTF-8 text takes, with one for each character. */
static int
text_width(const char *text)
{
	int	n = 0;

	for (; *text != '\0'; text++)
		if (((unsigned char)*text & 0xc0) != 0x80)
			n++;
	return n;
}

/* The byte behind the first `n` characters. */
static const char *
skip_characters(const char *text, int n)
{
	while (*text != '\0' && n-- > 0) {
		text++;
		while (((unsigned char)*text & 0xc0) == 0x80)
			text++;
	}
	return text;
}

static void
put_repeated(FILE *out, char c, int n)
{
	while (n-- > 0)
		fputc(c, out);
}

/*
 * The text in the middle, as Python's str.center() but with the odd space on
 * the right.  Too long a text ends in "...".
 */
static void
put_cell(FILE *out, const char *text, int width)
{
	int	length = text_width(text), left;

	if (length > width) {
		fprintf(out, "%.*s...", (int)(skip_characters(text,
		    width - 3) - text), text);
		return;
	}
	left = (width - length) / 2;
	fprintf(out, "%*s%s%*s", left, "", text, width - length - left, "");
}

/* "+---+------+" */
static void
put_rule(FILE *out, const int *widths)
{
	for (; *widths != 0; widths++) {
		fputc('+', out);
		put_repeated(out, '-', *widths);
	}
	fputs("+\n", out);
}

/* "| a | bcd |" */
static void
put_row(FILE *out, const int *widths, const char *const *cells)
{
	for (; *widths != 0; widths++, cells++) {
		fputc('|', out);
		put_cell(out, *cells, *widths);
	}
	fputs("|\n", out);
}

/* "...31.100.130" for 172.31.100.130 */
static const char *
address_tail(const char *address, int width, char *text, size_t size)
{
	int	length = (int)strlen(address);

	if (length <= width)
		return address;
	(void)snprintf(text, size, "...%s", address + length - (width - 3));
	return text;
}

void
tables_title(char *text, size_t size, const struct partition *p, int gcd,
    bool active, int ipus)
{
	char	gcd_text[24] = "";

	if (gcd >= 0)
		(void)snprintf(gcd_text, sizeof(gcd_text), " (gcd:%d)", gcd);
	(void)snprintf(text, size, "Partition: %s%s%s has %d %sIPU%s",
	    p->name, gcd_text, active ? " [active]" : "", ipus,
	    p->reconfigurable ? "reconfigurable " : "", ipus == 1 ? "" : "s");
}

/* Without a device the table ends with the rule below its head. */
void
tables_devices(FILE *out, const char *title,
    const struct tables_device *d, int count, const struct versions *v)
{
	static const char *const head[] = {
		"IPU-M", "Serial", "IPU-M SW", "Server version", "ICU FW",
		"Type", "ID", "IPU#", "Routing"
	};
	const char	*top[] = { "gc-monitor", title };
	char		 id[READING_SIZE], number[READING_SIZE], host[32];
	int		 i;

	put_rule(out, title_widths);
	put_row(out, title_widths, top);
	put_rule(out, device_widths);
	put_row(out, device_widths, head);
	put_rule(out, device_widths);
	for (i = 0; i < count; i++, d++) {
		const char	*cells[] = {
			address_tail(d->host, device_widths[0], host,
			    sizeof(host)),
			d->serial, v->machine, v->ipuof_server,
			v->firmware, d->type, id, number, d->routing
		};

		if (i > 0 && d->machine != d[-1].machine)
			put_rule(out, device_widths);
		(void)snprintf(id, sizeof(id), "%d", d->id);
		(void)snprintf(number, sizeof(number), "%d",
		    d->listing_ipu_number);
		put_row(out, device_widths, cells);
	}
	if (count > 0)
		put_rule(out, device_widths);
}

/* Whether the row is the first of its machine and process. */
static bool
is_first(const struct tables_process *p, int i)
{
	return i == 0 || p->machine != p[-1].machine ||
	    p->pid != p[-1].pid || strcmp(p->host, p[-1].host) != 0;
}

/* The board's readings stand at its first row: they are of all four IPUs. */
static void
put_processes(FILE *out, const int *widths, const struct tables_process *p,
    int count)
{
	char	pid[READING_SIZE], id[READING_SIZE];
	int	i;

	for (i = 0; i < count; i++, p++) {
		bool		 first = is_first(p, i);
		const char	*cells[] = {
			pid, p->command, p->time, p->user, id, p->clock,
			p->die_temp, first ? p->board_temp : "",
			first ? p->power : ""
		};

		(void)snprintf(pid, sizeof(pid), "%d", p->pid);
		(void)snprintf(id, sizeof(id), "%d", p->id);
		put_row(out, widths, cells);
	}
}

/*
 * What the terminal has more than the table needs goes to the command, which
 * is the longest text and the one that is cut.
 */
void
tables_processes(FILE *out, const char *partition,
    const struct tables_process *p, int count, int columns)
{
	static const char *const head[] = {
		"PID", "Command", "Time", "User", "ID", "Clock", "Temp",
		"Temp", "Power"
	};
	int		command = COMMAND_WIDTH;
	int		widths[] = { 8, 0, 8, 12, 4, 10, 8, 8, 8, 0 };
	int		top_widths[] = { 0, 24, 17, 0 };
	char		title[NAME_SIZE + 40];
	const char	*top[] = { title, "IPU", "Board" };

	if (columns > PROCESS_COLUMNS)
		command += columns - PROCESS_COLUMNS;
	if (command > COMMAND_WIDTH_MAX)
		command = COMMAND_WIDTH_MAX;
	widths[1] = command;
	top_widths[0] = command + 31;
	(void)snprintf(title, sizeof(title),
	    "Attached processes in partition %s", partition);
	put_rule(out, top_widths);
	put_row(out, top_widths, top);
	put_rule(out, widths);
	put_row(out, widths, head);
	put_rule(out, widths);
	put_processes(out, widths, p, count);
	put_rule(out, widths);
}

void
tables_elsewhere(FILE *out, const char *partition,
    const struct tables_process *p, int count)
{
	static const char *const head[] = {
		"ID", "Application host", "Clock", "Temp", "Temp", "Power"
	};
	char		title[NAME_SIZE + 48], id[READING_SIZE];
	const char	*top[] = { title, "Board" };
	int		i;

	(void)snprintf(title, sizeof(title),
	    "IPUs in %s attached from other namespaces", partition);
	put_rule(out, elsewhere_top_widths);
	put_row(out, elsewhere_top_widths, top);
	put_rule(out, elsewhere_widths);
	put_row(out, elsewhere_widths, head);
	put_rule(out, elsewhere_widths);
	for (i = 0; i < count; i++, p++) {
		bool		 first = is_first(p, i);
		const char	*cells[] = {
			id, p->host, p->clock, p->die_temp,
			first ? p->board_temp : "", first ? p->power : ""
		};

		(void)snprintf(id, sizeof(id), "%d", p->id);
		put_row(out, elsewhere_widths, cells);
	}
	put_rule(out, elsewhere_widths);
}

void
tables_frame(FILE *out, const char *text)
{
	const char	*cells[] = { text };

	put_rule(out, frame_widths);
	put_row(out, frame_widths, cells);
	put_rule(out, frame_widths);
}
