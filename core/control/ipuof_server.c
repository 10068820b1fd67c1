/*
 * One attribute of IPUoF files: written and read.
 */
#include "core/control/ipuof_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/formats/json.h"
#include "core/base/parse.h"

static const char	ipuof_server_key[] = "V-IPU Server";

static void
ipuof_server_put(yyjson_mut_doc *doc, yyjson_mut_val *gcd, const char *where)
{
	yyjson_mut_val	*a = yyjson_mut_obj_get(gcd, "attributes");

	if (yyjson_mut_is_obj(a))
		yyjson_mut_obj_add_strcpy(doc, a, ipuof_server_key, where);
}

char *
ipuof_server_add(char *text, const char *where)
{
	yyjson_doc	*read = yyjson_read(text, strlen(text), 0);
	yyjson_mut_doc	*doc;
	yyjson_mut_val	*root, *gcd;
	size_t		 i, count;

	if (read == NULL)
		return text;
	doc = yyjson_doc_mut_copy(read, NULL);
	yyjson_doc_free(read);
	root = yyjson_mut_doc_get_root(doc);
	if (yyjson_mut_is_arr(root))
		yyjson_mut_arr_foreach(root, i, count, gcd)
			ipuof_server_put(doc, gcd, where);
	else
		ipuof_server_put(doc, root, where);
	free(text);
	return json_text(doc);
}

int
ipuof_server_read(yyjson_val *attributes, char host[SERVER_ADDRESS_HOST_SIZE],
    char port[IPUOF_SERVER_TEXT_PORT], struct error *e)
{
	yyjson_val	*v = yyjson_obj_get(attributes, ipuof_server_key);
	const char	*text = yyjson_get_str(v), *colon;
	long long	 number;
	size_t		 length;

	host[0] = port[0] = '\0';
	if (v == NULL)
		return 0;
	colon = text != NULL ? strrchr(text, ':') : NULL;
	length = colon != NULL ? (size_t)(colon - text) : 0;
	if (length == 0 || length >= SERVER_ADDRESS_HOST_SIZE)
		return error_set_code(e, ERROR_INVALID, "attribute '%s' is "
		    "not HOST:PORT", ipuof_server_key);
	if (parse_number(ipuof_server_key, colon + 1, 1, UINT16_MAX, &number,
	    e) != 0)
		return -1;
	(void)snprintf(host, SERVER_ADDRESS_HOST_SIZE, "%.*s", (int)length,
	    text);
	(void)snprintf(port, IPUOF_SERVER_TEXT_PORT, "%lld", number);
	return 0;
}
