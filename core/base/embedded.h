/*
 * Files of config/ inside the program, so that one file is enough.  Made at
 * build time by config/build/embed.awk, embed-licenses.sh, embed-manuals.sh,
 * embed-page.sh and embed-sdk.sh.
 */
#ifndef CORE_BASE_EMBEDDED_H
#define CORE_BASE_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
	const char *name; /* without its extension: "pod64", "mnist" */
	const char *text; /* the whole file */
};

/* config/pods and config/models: sorted by name, a NULL name at the end. */
extern const struct embedded_file embedded_pods[];
extern const struct embedded_file embedded_models[];

/* config/slurm: names with their extensions, a NULL name at the end. */
extern const struct embedded_file embedded_slurm[];

/* config/kube/fields.txt without its comments and empty lines. */
extern const char embedded_fields[];

/* A file of config/sdk. */
struct embedded_sdk_file {
	const char *path; /* below config/sdk: "include/popdist.h" */
	unsigned mode;	  /* 0644, or 0755 for a program */
	size_t size;	  /* bytes */
};

/* Sorted by path, a NULL path at the end. */
extern const struct embedded_sdk_file embedded_sdk[];
/* All these files in this order, concatenated and compressed with gzip. */
extern const unsigned char embedded_sdk_packed[];
extern const size_t embedded_sdk_packed_size;

/* A manual of man/, formatted for 80 columns.  The bytes 1 and 2 begin bold and
   underlined text, which 3 ends. */
struct embedded_manual {
	const char *name;    /* "poprun" */
	int section;	     /* 1 to 8 */
	const char *purpose; /* one line, from its NAME */
	size_t size;	     /* bytes */
};

/* Sorted by file name, a NULL name at the end. */
extern const struct embedded_manual embedded_manuals[];
/* All manuals in this order, concatenated and compressed with gzip. */
extern const unsigned char embedded_manuals_packed[];
extern const size_t embedded_manuals_packed_size;

/* config/report: the page of a profile, compressed with gzip.  A profile's data
   replace "@data@" in it. */
extern const unsigned char embedded_page[];
extern const size_t embedded_page_size;

/* LICENSE and the libraries' notices as one text, compressed with gzip. */
extern const unsigned char embedded_licenses[];
extern const size_t embedded_licenses_size;

/* SHA-256 of the sources in hexadecimal digits: results of a program built from
   other sources may differ. */
extern const char embedded_sources[];

#endif
