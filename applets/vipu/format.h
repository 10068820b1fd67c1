/*
 * Partitions, and possible places for one, as a table, as JSON and as CSV.
 */
#ifndef APPLETS_VIPU_FORMAT_H
#define APPLETS_VIPU_FORMAT_H

#include "applets/vipu/output.h"

/* The source of the views below: some partitions of a snapshot. */
struct partition_range {
	const struct snapshot *snapshot;
	int first, count;
	const struct versions *versions;
};

/* A line per partition, indexed by VERSIONS_OLD, _MID or _NEW. */
extern const struct output_view format_lines[];
/* The range's first partition, as V-IPU shows it. */
extern const struct output_view format_page;
/* The same with the partition's life: owner, times and counts. */
extern const struct output_view format_page_verbose;

/* Add a constant of the contract under `key`: a prefix ("IRT_") and a name
   ("DNC"). */
void format_add_constant(yyjson_mut_doc *, yyjson_mut_val *object,
    const char *key, const char *prefix, const char *name);

/* Prefix of the names of IPUs in a list. */
enum ipu_numbers {
	NUMBERS_NONE,  /* "ag06:0 ag06:1" */
	NUMBERS_SHORT, /* "0=ag06:0"; over several ILDs as NUMBERS_LONG */
	NUMBERS_LONG   /* "0.0=ag06:0", the ILD in front */
};

/* Add the contract's array "ipus" to the object: the location of each IPU. */
void format_add_ipus(yyjson_mut_doc *, yyjson_mut_val *object,
    const struct placement *);

/* Add the names of the IPUs as one readable cell.  With numbers, more than
   FORMAT_IPUS_ALONE IPUs become ranges, at least one for each machine:
   "0-3=ag06:0-3", "0.0-3=ag06:0-3". */
enum { FORMAT_IPUS_ALONE = 8 };
void format_table_ipus(struct table *, const struct pod *,
    const struct placement *, enum ipu_numbers);

#endif
