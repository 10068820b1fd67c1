/*
 * Printing JSON documents built with yyjson(3): indented by two spaces, with a
 * newline at the end.
 *
 * JSON is UTF-8, but arguments and file names may have any bytes: each byte
 * that is not UTF-8 is printed as U+FFFD, so that the output is always JSON.
 */
#ifndef CORE_BASE_FORMATS_JSON_H
#define CORE_BASE_FORMATS_JSON_H

#include <stdio.h>
#include <yyjson.h>

/* Return the document as text, which the caller frees.  Frees the document. */
char *json_text(yyjson_mut_doc *);

/* Print the document and free it. */
void json_print(FILE *, yyjson_mut_doc *);
/* Print the document as one line, and free it. */
void json_print_line(FILE *, yyjson_mut_doc *);

/* Add a number as a string, as tools do that have only string values.  The key
   is not copied. */
void json_add_number_text(yyjson_mut_doc *, yyjson_mut_val *object,
    const char *key, int number);

/* Print an array element by element, in the format of json_print().  Call
   json_array_next() for each, which frees its document, then json_array_end().
   *count begins as 0. */
void json_array_next(FILE *, int *count, yyjson_mut_doc *);
void json_array_end(FILE *, int count);

#endif
