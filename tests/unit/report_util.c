/*
 * What a profile's report.html has, held against its summary.json.
 */
#include "tests/unit/report_util.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/tap.h"

/* A number of summary.json by its path, "ipus.0.stash.seen". */
double
report_figure(yyjson_val *v, const char *path)
{
	char pointer[128], *c;

	(void)snprintf(pointer, sizeof(pointer), "/%s", path);
	for (c = pointer; *c != '\0'; c++)
		if (*c == '.')
			*c = '/';
	v = yyjson_ptr_get(v, pointer);
	return yyjson_is_num(v) ? yyjson_get_num(v) : -1;
}

long
report_count_text(const char *text, const char *part)
{
	long n = 0;

	while ((text = strstr(text, part)) != NULL) {
		text += strlen(part);
		n++;
	}
	return n;
}

yyjson_doc *
report_data(const char *page)
{
	static const char begin[] = "id=\"data\">\n";
	const char *from = strstr(page, begin), *to;

	if (from == NULL)
		return NULL;
	from += strlen(begin);
	to = strchr(from, '<');
	if (to == NULL || strncmp(to, "</script>\n<script>\n", 19) != 0)
		return NULL;
	return yyjson_read(from, (size_t)(to - from), 0);
}

yyjson_doc *
report_check(const char *page, yyjson_val *summary)
{
	yyjson_doc *doc = report_data(page);

	ok(doc != NULL, "the page has its data");
	ok(yyjson_equals(yyjson_obj_get(yyjson_doc_get_root(doc), "summary"),
	       summary),
	    "among them summary.json");
	is_str(page + strlen(page) - strlen("</html>\n"), "</html>\n",
	    "the page is whole");
	ok(strstr(page, "http:") ==
		    strstr(page, "http://www.w3.org/2000/svg") &&
		strstr(page, "https:") == NULL &&
		strstr(page, "src=") == NULL &&
		strstr(page, "innerHTML") == NULL,
	    "it takes nothing from elsewhere");
	return doc;
}
