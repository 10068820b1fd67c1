/*
 * Printing JSON documents that yyjson(3) built: two spaces per indent, a
 * newline at the end.
 *
 * JSON is UTF-8, but arguments and file names are any bytes: where they are
 * not UTF-8, each odd byte is printed as U+FFFD, so that what is printed is
 * always JSON.
 */
#ifndef CORE_BASE_FORMATS_JSON_H
#define CORE_BASE_FORMATS_JSON_H

#include <stdio.h>
#include <yyjson.h>

/* The document as text (the caller frees it). The document is freed. */
char *json_text(yyjson_mut_doc *);

/* Print it. The document is freed. */
void json_print(FILE *, yyjson_mut_doc *);

/* Add a number as a string, as the tools have it whose values are all of them
   strings. */
void json_add_number_text(yyjson_mut_doc *, yyjson_mut_val *object,
    const char *key, int number);

/*
 * An array whose elements are printed as they come, as json_print() would print
 * all of it: json_array_next() for each, which frees the element's document,
 * and json_array_end().  *count begins as 0.
 */
void json_array_next(FILE *, int *count, yyjson_mut_doc *);
void json_array_end(FILE *, int count);

#endif
