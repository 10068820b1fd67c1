/*
 * A partition, and a place for one, as a table, as JSON and as CSV.
 */
#ifndef APPLETS_VIPU_FORMAT_H
#define APPLETS_VIPU_FORMAT_H

#include "applets/vipu/output.h"
#include "core/control/control.h"
#include "core/pod/pod.h"

/* The source of the listings below: some partitions of a snapshot. */
struct partition_range {
	const struct snapshot *snapshot;
	int first, count;
	const struct versions *versions;
};

/* One line per partition, by enum versions_layout. */
extern const struct output_view format_lines[];
extern const struct output_view format_page; /* about one, and all about it */
extern const struct output_view format_page_verbose;

/* "IRT_", "DNC": a constant of the contract. */
void format_add_constant(yyjson_mut_doc *, yyjson_mut_val *object,
    const char *key, const char *prefix, const char *name);

/* What stands before the names of IPUs, which have a space between them. */
enum ipu_numbers {
	NUMBERS_NONE,  /* "ag06:0 ag06:1" */
	NUMBERS_SHORT, /* "0=ag06:0", over several ILDs as long */
	NUMBERS_LONG   /* "0.0=ag06:0", the ILD in front */
};

/* As the contract's array "ipus" of the object: where each IPU lies. */
void format_add_ipus(yyjson_mut_doc *, yyjson_mut_val *object,
    const struct placement *);

/*
 * As one cell of the table: their names, ready to read.  With numbers, those of
 * more than FORMAT_IPUS_ALONE IPUs are ranges, one for each machine:
 * "0-3=ag06:0-3", "0.0-3=ag06:0-3".
 */
enum { FORMAT_IPUS_ALONE = 8 };
void format_table_ipus(struct table *, const struct pod *,
    const struct placement *, enum ipu_numbers);

/*
 * create partition --options: print where a partition as requested could lie
 * now; nothing is created.  Returns the exit status.
 */
int placements_print(const struct call *, enum output_format,
    struct controller *, const struct partition_request *);

#endif
