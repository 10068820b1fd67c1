/*
 * Writing the text of an IPUoF file, as V-IPU does for Poplar, and reading it
 * back.
 *
 * Source: the V-IPU user guide 5.8.
 */
#include "core/control/ipuof.h"

#include <bsd/string.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yyjson.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/formats/json.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/control/controller_internal.h"
#include "core/pod/pod.h"

enum {
	RDMA_PORT = 4791,	 /* RoCE v2 */
	IPU_ARCHITECTURE_ID = 2, /* ipu2 */
	CONFIG_SIZE_MAX = 1 << 20
};

/* Attributes are texts, even numbers: "GCD Id": "0". */
static void
ipuof_put_number(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
    int value)
{
	char text[16];

	(void)snprintf(text, sizeof(text), "%d", value);
	yyjson_mut_obj_add_strcpy(doc, object, key, text);
}

/* Write the attributes common to all GCDs, and the GCD's number. */
static yyjson_mut_val *
attributes(yyjson_mut_doc *doc, const struct partition *p, int gcd,
    const struct versions *v)
{
	yyjson_mut_val *a = yyjson_mut_obj(doc);

	ipuof_put_number(doc, a, "GCD Id", gcd);
	ipuof_put_number(doc, a, "Num GCDs", p->num_gcds);
	yyjson_mut_obj_add_strcpy(doc, a, "IPUoF Partition Id", p->name);
	yyjson_mut_obj_add_str(doc, a, "IPUoF Host", "local");
	yyjson_mut_obj_add_str(doc, a, "IPUoF Server Version", v->ipuof_server);
	yyjson_mut_obj_add_str(doc, a, "IPUoF Routing Type",
	    partition_link_routing_name(p->routing));
	yyjson_mut_obj_add_str(doc, a, "GW Routing Type",
	    partition_gateway_routing_name(p->gateway_routing));
	yyjson_mut_obj_add_str(doc, a, "Partition Sync Type",
	    partition_sync_type_name(p->sync_type));
	ipuof_put_number(doc, a, "Number Of Replicas", p->num_replicas);
	ipuof_put_number(doc, a, "Number Of ILDs", p->placement.ild_count);
	yyjson_mut_obj_add_str(doc, a, "Reconfigurable Partition",
	    p->reconfigurable ? "true" : "false");
	return a;
}

void
ipuof_chip_id(const struct pod *pod, int ipu, char text[IPUOF_CHIP_SIZE])
{
	const struct agent *agent = &pod->agents[ipu / IPUS_PER_MACHINE];

	(void)snprintf(text, IPUOF_CHIP_SIZE, "%04u.%07u.%d", agent->lot,
	    agent->serial, IPUS_PER_MACHINE - 1 - ipu % IPUS_PER_MACHINE);
}

/* Write the device of a routing id.  IPU ag06:0 is the machine's IPU# 3: the
   machine counts its IPUs from the other end (gc-info shows both). */
static yyjson_mut_val *
device(yyjson_mut_doc *doc, const struct pod *pod, const struct partition *p,
    int routing_id, const struct versions *v)
{
	yyjson_mut_val *d = yyjson_mut_obj(doc);
	int ipu = placement_ipu(pod, &p->placement, routing_id);
	int index = ipu % IPUS_PER_MACHINE;
	int number = IPUS_PER_MACHINE - 1 - index;
	const struct agent *agent = &pod->agents[ipu / IPUS_PER_MACHINE];
	char chip[IPUOF_CHIP_SIZE];

	ipuof_chip_id(pod, ipu, chip);
	yyjson_mut_obj_add_strcpy(doc, d, "ip", agent->address);
	yyjson_mut_obj_add_int(doc, d, "server_port",
	    IPUOF_SERVER_PORT + number);
	yyjson_mut_obj_add_int(doc, d, "rdma_port", RDMA_PORT);
	yyjson_mut_obj_add_int(doc, d, "device_id", index);
	yyjson_mut_obj_add_int(doc, d, "ipulink_segment_id",
	    routing_id / p->placement.per_ild);
	yyjson_mut_obj_add_int(doc, d, "routing_id", routing_id);
	yyjson_mut_obj_add_int(doc, d, "ipu_arch_id", IPU_ARCHITECTURE_ID);
	yyjson_mut_obj_add_int(doc, d, "ipu_id", number);
	yyjson_mut_obj_add_strcpy(doc, d, "chip_id", chip);
	yyjson_mut_obj_add_str(doc, d, "gwsw_version", v->gateway);
	yyjson_mut_obj_add_str(doc, d, "ipum_sw_version", v->machine);
	return d;
}

/* Write a GCD with its devices.  Routing ids count through the whole partition:
   with 16 IPUs and 4 GCDs, GCD 1 has 4 to 7. */
static yyjson_mut_val *
gcd_object(yyjson_mut_doc *doc, const struct pod *pod,
    const struct partition *p, int gcd, const struct versions *v)
{
	yyjson_mut_val *object = yyjson_mut_obj(doc);
	yyjson_mut_val *devices = yyjson_mut_arr(doc);
	int size = partition_gcd_size(p), i;

	for (i = gcd * size; i < (gcd + 1) * size; i++)
		yyjson_mut_arr_append(devices, device(doc, pod, p, i, v));
	yyjson_mut_obj_add_val(doc, object, "attributes",
	    attributes(doc, p, gcd, v));
	yyjson_mut_obj_add_val(doc, object, "devices", devices);
	return object;
}

char *
ipuof_text(const struct pod *pod, const struct partition *p, int gcd,
    const struct versions *v)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root;
	int i;

	if (gcd >= 0 || p->num_gcds == 1) {
		root = gcd_object(doc, pod, p, gcd < 0 ? 0 : gcd, v);
	} else {
		root = yyjson_mut_arr(doc);
		for (i = 0; i < p->num_gcds; i++)
			yyjson_mut_arr_append(root,
			    gcd_object(doc, pod, p, i, v));
	}
	yyjson_mut_doc_set_root(doc, root);
	return json_text(doc);
}

static const char ipuof_server_key[] = "V-IPU Server";

static const char ipuof_identity_key[] = "ipubox Partition";
static const char ipuof_state_key[] = "ipubox State";

static void
put_attribute(yyjson_mut_doc *doc, yyjson_mut_val *gcd, const char *key,
    const char *value)
{
	yyjson_mut_val *a = yyjson_mut_obj_get(gcd, "attributes");

	if (yyjson_mut_is_obj(a))
		yyjson_mut_obj_add_strcpy(doc, a, key, value);
}

/* Add an attribute to each GCD of the text, which is freed; return the new
   one. */
static char *
add_attribute(char *text, const char *key, const char *value)
{
	yyjson_doc *read = yyjson_read(text, strlen(text), 0);
	yyjson_mut_doc *doc;
	yyjson_mut_val *root, *gcd;
	size_t i, count;

	if (read == NULL)
		return text;
	doc = yyjson_doc_mut_copy(read, NULL);
	yyjson_doc_free(read);
	root = yyjson_mut_doc_get_root(doc);
	if (yyjson_mut_is_arr(root))
		yyjson_mut_arr_foreach(root, i, count, gcd)
			put_attribute(doc, gcd, key, value);
	else
		put_attribute(doc, root, key, value);
	free(text);
	return json_text(doc);
}

char *
ipuof_server_add(char *text, const char *where)
{
	return add_attribute(text, ipuof_server_key, where);
}

/* Write this host's name and a colon; return the number of bytes. */
static size_t
put_host(char *text, size_t size)
{
	char host[HOST_NAME_MAX + 1];

	if (gethostname(host, sizeof(host)) != 0)
		return 0;
	host[HOST_NAME_MAX] = '\0';
	return (size_t)snprintf(text, size, "%s:", host);
}

/* Write the place of this process's state, "" if it is unknown or too long. */
static void
find_state(char text[IPUOF_STATE_SIZE])
{
	struct state_paths paths;
	const size_t used = put_host(text, IPUOF_STATE_SIZE);

	if (used == 0 || used >= IPUOF_STATE_SIZE ||
	    paths_find(&paths, NULL) != 0 ||
	    strlcpy(text + used, paths.directory, IPUOF_STATE_SIZE - used) >=
		IPUOF_STATE_SIZE - used)
		text[0] = '\0';
}

char *
ipuof_identity_add(char *text, const struct partition *p, bool is_here)
{
	char identity[IPUOF_IDENTITY_SIZE], state[IPUOF_STATE_SIZE];

	if (!identity_is_set(p->id))
		return text;
	hex_text(p->id, sizeof(p->id), identity);
	text = add_attribute(text, ipuof_identity_key, identity);
	if (!is_here)
		return text;
	find_state(state);
	return state[0] != '\0' ? add_attribute(text, ipuof_state_key, state) :
				  text;
}

enum ipuof_standing
ipuof_find_standing(const struct ipuof_reference *r)
{
	char here[IPUOF_STATE_SIZE];
	const size_t used = put_host(here, sizeof(here));
	struct error reason;
	bool exists = true;
	char room[FILE_ROOM], *path, *text;
	size_t size;

	if (r->host[0] != '\0' || r->identity[0] == '\0' || used == 0 ||
	    strncmp(r->state, here, used) != 0)
		return IPUOF_USABLE;
	path = xasprintf("%s/partitions/%s.ini", r->state + used, r->partition);
	text = file_read_into(path, CONFIG_SIZE_MAX, room, &size, &reason);
	if (text != NULL)
		exists = strstr(text, r->identity) != NULL;
	else if (reason.code == ERROR_NOT_FOUND)
		exists = false;
	free(path);
	stream_release(text, room);
	if (!exists)
		return IPUOF_GONE;
	find_state(here);
	return strcmp(r->state, here) == 0 ? IPUOF_USABLE : IPUOF_ELSEWHERE;
}

/* Read the server from a GCD's attributes: "" if missing. */
static int
read_server(yyjson_val *attributes, char host[SERVER_ADDRESS_HOST_SIZE],
    char port[IPUOF_SERVER_TEXT_PORT], struct error *e)
{
	yyjson_val *v = yyjson_obj_get(attributes, ipuof_server_key);
	const char *text = yyjson_get_str(v), *colon;
	long long number;
	size_t length;

	host[0] = port[0] = '\0';
	if (v == NULL)
		return 0;
	colon = text != NULL ? strrchr(text, ':') : NULL;
	length = colon != NULL ? (size_t)(colon - text) : 0;
	if (length == 0 || length >= SERVER_ADDRESS_HOST_SIZE || text[0] == '/')
		return error_set_code(e, ERROR_INVALID,
		    "attribute '%s' must be HOST:PORT", ipuof_server_key);
	if (parse_number(ipuof_server_key, colon + 1, 1, UINT16_MAX, &number,
		e) != 0)
		return -1;
	(void)snprintf(host, SERVER_ADDRESS_HOST_SIZE, "%.*s", (int)length,
	    text);
	(void)snprintf(port, IPUOF_SERVER_TEXT_PORT, "%lld", number);
	return 0;
}

char *
ipuof_config(struct controller *c, const struct pod *pod,
    const struct partition *p, int gcd, struct error *e)
{
	/* A path is a socket of this host. */
	const bool is_here = c->where == NULL || c->where[0] == '/';
	char *text = c->operations->ipuof != NULL ?
	    c->operations->ipuof(c, p, gcd, e) :
	    ipuof_text(pod, p, gcd, &c->versions);

	if (text == NULL)
		return NULL;
	text = ipuof_identity_add(text, p, is_here);
	return is_here ? text : ipuof_server_add(text, c->where);
}

/* Read a number from an attribute; `missing` is its default. */
static int
number_attribute(yyjson_val *attributes_object, const char *key, int missing,
    int *value, struct error *e)
{
	yyjson_val *v = yyjson_obj_get(attributes_object, key);
	long long n;

	*value = missing;
	if (v == NULL)
		return 0;
	if (!yyjson_is_str(v))
		return error_set_code(e, ERROR_INVALID,
		    "attribute '%s' must be a string", key);
	if (parse_number(key, yyjson_get_str(v), 0, POD_IPUS_MAX, &n, e) != 0)
		return -1;
	*value = (int)n;
	return 0;
}

/* Read a text that may be missing; one that does not fit counts as missing. */
static void
read_text(yyjson_val *attributes_object, const char *key, char *text,
    size_t size)
{
	const char *value =
	    yyjson_get_str(yyjson_obj_get(attributes_object, key));

	if (value == NULL || strlcpy(text, value, size) >= size)
		text[0] = '\0';
}

/* A file with an array of all GCDs is refused, because programs use one GCD. */
static int
read_reference(yyjson_val *root, struct ipuof_reference *r, struct error *e)
{
	yyjson_val *a = yyjson_obj_get(root, "attributes");
	yyjson_val *devices = yyjson_obj_get(root, "devices");
	const char *name;

	if (!yyjson_is_obj(a) || !yyjson_is_arr(devices))
		return error_set_code(e, ERROR_INVALID,
		    "an IPUoF configuration must be an object with "
		    "\"attributes\" and \"devices\"");
	name = yyjson_get_str(yyjson_obj_get(a, "IPUoF Partition Id"));
	if (name == NULL)
		return error_set_code(e, ERROR_INVALID,
		    "attribute 'IPUoF Partition Id' is missing");
	if (name_check("partition", name, e) != 0 ||
	    number_attribute(a, "GCD Id", 0, &r->gcd, e) != 0 ||
	    number_attribute(a, "Num GCDs", 1, &r->num_gcds, e) != 0 ||
	    read_server(a, r->host, r->port, e) != 0)
		return -1;
	if (r->num_gcds < 1 || r->gcd >= r->num_gcds)
		return error_set_code(e, ERROR_INVALID,
		    "GCD Id %d: the partition has %d GCDs, counted from 0",
		    r->gcd, r->num_gcds);
	(void)strlcpy(r->partition, name, sizeof(r->partition));
	read_text(a, ipuof_identity_key, r->identity, sizeof(r->identity));
	read_text(a, ipuof_state_key, r->state, sizeof(r->state));
	r->device_count = (int)yyjson_arr_size(devices);
	return 0;
}

/* Parse the text of a file; NULL: it could not be read. */
static int
parse_text(char *text, size_t size, const char *path, struct ipuof_reference *r,
    struct error *e)
{
	/* Enough for most files: an allocation costs two system calls. */
	char room[32 * 1024];
	yyjson_alc pool;
	yyjson_read_err reason;
	yyjson_doc *doc;
	size_t heading = 0;
	int status;

	if (text == NULL)
		return -1;
	if (strncmp(text, IPUOF_HEADING, strlen(IPUOF_HEADING)) == 0)
		heading = strcspn(text, "\n");
	(void)yyjson_alc_pool_init(&pool, room, sizeof(room));
	doc = yyjson_read_opts(text + heading, size - heading,
	    YYJSON_READ_NOFLAG,
	    yyjson_read_max_memory_usage(size, YYJSON_READ_NOFLAG) <
		    sizeof(room) ?
		&pool :
		NULL,
	    &reason);
	if (doc == NULL)
		status = error_set_code(e, ERROR_INVALID,
		    "%s: is not valid JSON: %s at byte %zu", path, reason.msg,
		    heading + reason.pos);
	else if ((status = read_reference(yyjson_doc_get_root(doc), r, e)) != 0)
		(void)error_prefix(e, "%s", path);
	yyjson_doc_free(doc);
	return status;
}

int
ipuof_parse(const char *path, struct ipuof_reference *r, struct error *e)
{
	char room[FILE_ROOM];
	size_t size = 0;
	char *text = file_read_into(path, CONFIG_SIZE_MAX, room, &size, e);
	int status = parse_text(text, size, path, r, e);

	stream_release(text, room);
	return status;
}

int
ipuof_parse_at(const struct directory *d, const char *name,
    struct ipuof_reference *r, struct error *e)
{
	char room[FILE_ROOM];
	size_t size = 0;
	char *text = file_read_at_into(d, name, CONFIG_SIZE_MAX, room, &size,
	    e);
	char *path = xasprintf("%s/%s", d->path, name);
	int status = parse_text(text, size, path, r, e);

	free(path);
	stream_release(text, room);
	return status;
}

int
ipuof_remove_gone(const char *path, struct error *e)
{
	char *above = path_directory_name(path);
	const char *name = path_base_name(path);
	struct directory d;
	struct ipuof_reference r;
	int status = directory_open(&d, above, e);

	if (status == 0 && (status = ipuof_parse_at(&d, name, &r, e)) == 0) {
		if (ipuof_find_standing(&r) != IPUOF_GONE)
			status = error_set_code(e, ERROR_BUSY,
			    "%s: partition %s exists", path, r.partition);
		else if (unlinkat(d.fd, name, 0) != 0)
			status = error_set_errno(e, "cannot remove %s", path);
		else
			status = directory_sync(&d, e);
	}
	directory_close(&d);
	free(above);
	return status;
}

int
ipuof_count_others(const struct partition *p)
{
	struct directory d;
	struct ipuof_reference r;
	char **names;
	long i, total;
	int count = 0;

	if (p->ipuof_directory[0] == '\0' || p->relocatable ||
	    directory_open(&d, p->ipuof_directory, NULL) != 0)
		return 0;
	total = directory_names(&d, "", &names, NULL);
	for (i = 0; i < total; i++)
		count += ipuof_parse_at(&d, names[i], &r, NULL) != 0 ||
		    (strcmp(r.partition, p->name) != 0 &&
			ipuof_find_standing(&r) == IPUOF_USABLE);
	if (total != -1)
		directory_names_free(names, total);
	directory_close(&d);
	return count;
}
