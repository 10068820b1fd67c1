/*
 * IPUoF configuration: the text, the files, and what is refused of either.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yyjson.h>

#include <bsd/string.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/control/control.h"
#include "core/pod/document/document.h"
#include "tests/unit/tap.h"

static struct pod pod;

static struct partition
make_partition(int size, int num_gcds)
{
	struct partition p;

	memset(&p, 0, sizeof(p));
	(void)strlcpy(p.name, "mypt", sizeof(p.name));
	p.placement.ild_count = 1;
	p.placement.per_ild = size;
	p.placement.offset = size;
	p.num_gcds = num_gcds;
	p.num_replicas = num_gcds;
	p.routing = IRT_DNC;
	p.gateway_routing = GRT_DEFAULT;
	p.sync_type = ST_GS2_DEFAULT;
	p.allocation = -1;
	return p;
}

static const char *
text_at(yyjson_doc *doc, const char *pointer)
{
	return yyjson_get_str(yyjson_doc_ptr_get(doc, pointer));
}

static int
number_at(yyjson_doc *doc, const char *pointer)
{
	return yyjson_get_int(yyjson_doc_ptr_get(doc, pointer));
}

static void
test_text(void)
{
	struct partition p = make_partition(4, 2);
	char *text = ipuof_text(&pod, &p, 1, versions_at(0));
	yyjson_doc *doc = yyjson_read(text, strlen(text), 0);

	is_str(text_at(doc, "/attributes/GCD Id"), "1", "GCD Id is text");
	is_str(text_at(doc, "/attributes/Num GCDs"), "2", "Num GCDs");
	is_str(text_at(doc, "/attributes/IPUoF Partition Id"), "mypt",
	    "partition id");
	is_int((long long)yyjson_arr_size(yyjson_doc_ptr_get(doc, "/devices")),
	    2, "one device an IPU of the GCD");
	is_int(number_at(doc, "/devices/0/routing_id"), 2,
	    "the second GCD begins at routing id 2");
	is_int(number_at(doc, "/devices/0/device_id"), 2, "ag02:2 is 2");
	is_int(number_at(doc, "/devices/0/ipu_id"), 1, "ag02:2 is IPU# 1");
	is_int(number_at(doc, "/devices/1/ipu_id"), 0, "ag02:3 is IPU# 0");
	is_int(number_at(doc, "/devices/1/server_port"), 50052,
	    "the port of IPU# 0");
	is_str(text_at(doc, "/devices/0/ip"), pod.agents[1].address,
	    "the data plane's address");
	yyjson_doc_free(doc);
	free(text);

	text = ipuof_text(&pod, &p, -1, versions_at(0));
	doc = yyjson_read(text, strlen(text), 0);
	is_str(text_at(doc, "/1/attributes/GCD Id"), "1",
	    "all GCDs are an array");
	yyjson_doc_free(doc);
	free(text);
	p = make_partition(1, 1);
	text = ipuof_text(&pod, &p, -1, versions_at(0));
	is_int(text[0], '{', "the only GCD is an object");
	is_str(text + strlen(text) - 2, "}\n", "and ends with a newline");
	free(text);
}

/* What ipuof_parse() makes of a text. */
static int
parse(const char *text, struct ipuof_reference *r, struct error *e)
{
	FILE *f = fopen("x.conf", "w");

	fputs(text, f);
	(void)fclose(f);
	return ipuof_parse("x.conf", r, e);
}

static void
test_parse(void)
{
	static const struct {
		const char *text;
		const char *error;
	} bad[] = {
		{ "",
		    "x.conf: is not valid JSON: input length is 0 at byte 0" },
		{ "[]",
		    "x.conf: an IPUoF configuration must be an object with "
		    "\"attributes\" and \"devices\"" },
		{ "{\"attributes\":{},\"devices\":[]}",
		    "x.conf: attribute 'IPUoF Partition Id' is missing" },
		{ "{\"attributes\":{\"IPUoF Partition "
		  "Id\":\"../x\"},\"devices\":[]}",
		    "x.conf: partition name '../x': only letters, digits and . "
		    "_ - are allowed, and the first must be a letter or a "
		    "digit" },
		{ "{\"attributes\":{\"IPUoF Partition Id\":\"p\",\"GCD "
		  "Id\":1},\"devices\":[]}",
		    "x.conf: attribute 'GCD Id' must be a string" },
		{ "{\"attributes\":{\"IPUoF Partition Id\":\"p\",\"GCD "
		  "Id\":\"2\",\"Num GCDs\":\"2\"},\"devices\":[]}",
		    "x.conf: GCD Id 2: the partition has 2 GCDs, counted from "
		    "0" },
	};
	struct ipuof_reference r;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		e.text[0] = '\0';
		is_int(parse(bad[i].text, &r, &e), -1, "refused");
		is_str(e.text, bad[i].error, "with the reason");
	}
	is_int(parse("{\"attributes\":{\"IPUoF Partition "
		     "Id\":\"p\"},\"devices\":[{},{}]}",
		   &r, &e),
	    0, "the least there may be");
	is_str(r.partition, "p", "partition");
	is_int(r.gcd, 0, "no GCD Id means 0");
	is_int(r.num_gcds, 1, "no Num GCDs means 1");
	is_int(r.device_count, 2, "devices are counted");
	(void)unlink("x.conf");
	is_int(ipuof_parse("x.conf", &r, &e), -1, "no file");
	is_str(e.text, "cannot open x.conf: No such file or directory",
	    "and says so");
}

static bool
exists(const char *directory, const char *name)
{
	char *path = xasprintf("%s/%s", directory, name);
	bool found = access(path, F_OK) == 0;

	free(path);
	return found;
}

static unsigned
mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (unsigned)st.st_mode & 0777 : 0;
}

static int
write_files(const struct partition *p, struct error *e)
{
	return ipuof_files_write(&pod, p, versions_at(0), e);
}

static void
test_files(void)
{
	bool removed;
	struct partition p = make_partition(4, 2);
	struct partition other = make_partition(2, 1);
	struct ipuof_reference r;
	struct error e;

	(void)umask(022);
	is_int(ipuof_files_directory("shared/", p.ipuof_directory,
		   sizeof(p.ipuof_directory), &e),
	    0, "a relative folder");
	ok(p.ipuof_directory[0] == '/', "becomes absolute");
	is_str(path_base_name(p.ipuof_directory), "shared", "without slash");
	is_int(write_files(&p, &e), 0, "two GCDs");
	ok(exists("shared", "mypt_gcd0.conf"), "first file");
	is_int(ipuof_parse("shared/mypt_gcd1.conf", &r, &e), 0, "the second");
	is_int(r.gcd, 1, "is GCD 1");
	is_int(r.device_count, 2, "of two IPUs");
	is_int(mode_of("shared"), 0700, "the folder is private");
	is_int(mode_of("shared/mypt_gcd0.conf"), 0644,
	    "a chosen folder is for sharing");
	is_int(ipuof_count_others(&p), 0, "its own files are no others");
	(void)strlcpy(other.name, "my", sizeof(other.name));
	(void)strlcpy(other.ipuof_directory, p.ipuof_directory,
	    sizeof(other.ipuof_directory));
	is_int(write_files(&other, &e), 0, "a second partition");
	is_int(ipuof_count_others(&p), 1, "is one other file");
	is_int(ipuof_count_others(&other), 2, "and sees two");
	is_int(ipuof_files_remove(&p, &removed, &e), 0, "removed");
	is_int(ipuof_files_remove(&p, &removed, &e), 0, "twice is no error");
	ok(!exists("shared", "mypt_gcd0.conf") &&
		!exists("shared", "mypt_gcd1.conf"),
	    "both are gone");
	ok(exists("shared", "my.conf"), "the other stays");

	/* Two partitions that want one name. */
	(void)strlcpy(other.name, "mypt_gcd0", sizeof(other.name));
	is_int(write_files(&p, &e), 0, "mypt_gcd0.conf of mypt");
	is_int(write_files(&other, &e), -1, "is no other's");
	ok(strstr(e.text, "mypt_gcd0.conf: File exists") != NULL, "why");
	is_int(ipuof_files_remove(&other, &removed, &e), 0,
	    "nor removed with it");
	ok(!removed, "not even in part");
	ok(exists("shared", "mypt_gcd0.conf"), "it is still there");
	is_int(ipuof_files_remove(&p, &removed, &e), 0, "until its own goes");
	ok(!exists("shared", "mypt_gcd0.conf"), "now");

	other.relocatable = 1;
	(void)strlcpy(other.name, "moves", sizeof(other.name));
	is_int(write_files(&other, &e), 0, "relocatable");
	ok(!exists("shared", "moves.conf"), "gets no file");
}

static void
test_directories(void)
{
	bool removed;
	struct partition p = make_partition(1, 1);
	struct error e;
	char path[DIRECTORY_SIZE], home[DIRECTORY_SIZE];
	char long_name[DIRECTORY_SIZE + 1];

	is_int(ipuof_files_directory("", p.ipuof_directory, DIRECTORY_SIZE, &e),
	    0, "the default");
	(void)snprintf(home, sizeof(home), "%.200s/.ipuof.conf.d",
	    getenv("HOME"));
	is_str(p.ipuof_directory, home, "is at home");
	is_int(write_files(&p, &e), 0, "and is made");
	(void)snprintf(path, sizeof(path), "%.200s/.ipuof.conf.d/mypt.conf",
	    getenv("HOME"));
	is_int(mode_of(path), 0600, "with private files");
	(void)ipuof_files_remove(&p, &removed, &e);

	(void)setenv("VIPU_CLI_IPUOF_CONFIG_LOCATION", "/etc/here", 1);
	is_int(ipuof_files_directory("", path, sizeof(path), &e), 0,
	    "from the");
	is_str(path, "/etc/here", "environment");
	is_int(ipuof_files_directory("/a//", path, sizeof(path), &e), 0,
	    "asked for");
	is_str(path, "/a", "wins");
	(void)unsetenv("VIPU_CLI_IPUOF_CONFIG_LOCATION");
	memset(long_name, 'x', DIRECTORY_SIZE);
	long_name[0] = '/';
	long_name[DIRECTORY_SIZE] = '\0';
	is_int(ipuof_files_directory(long_name, path, sizeof(path), &e), -1,
	    "too long");
	(void)unsetenv("HOME");
	is_int(ipuof_files_directory("", path, sizeof(path), &e), -1,
	    "no HOME");

	(void)strlcpy(p.ipuof_directory, "/dev/null/x", DIRECTORY_SIZE);
	is_int(write_files(&p, &e), -1, "no such place");
	is_str(e.text, "cannot make directory /dev/null/x: Not a directory",
	    "and says why");
}

/* The server that a file names. */
static void
test_server(void)
{
	static const struct {
		const char *where, *host, *port;
	} good[] = {
		{ "10.1.3.101:8090", "10.1.3.101", "8090" },
		{ "[fd00::1]:9000", "[fd00::1]", "9000" },
		{ "control.pod:1", "control.pod", "1" },
	}, bad[] = {
		{ "control", NULL, NULL }, { ":8090", NULL, NULL },
		{ "control:", NULL, NULL }, { "control:0", NULL, NULL },
		{ "control:65536", NULL, NULL }, { "c:80 90", NULL, NULL },
		{ "/run/ipubox/vipu.sock:1", NULL, NULL }
	};
	const struct partition p = make_partition(4, 1);
	struct ipuof_reference r;
	struct error e;
	char *text;
	size_t i;

	text = ipuof_text(&pod, &p, 0, versions_at(0));
	is_int(parse(text, &r, &e), 0, "a file of this host");
	is_str(r.host, "", "names no server");
	free(text);
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		text = ipuof_server_add(ipuof_text(&pod, &p, 0, versions_at(0)),
		    good[i].where);
		is_int(parse(text, &r, &e), 0, good[i].where);
		is_str(r.host, good[i].host, "its host");
		is_str(r.port, good[i].port, "its port");
		is_str(r.partition, "mypt", "and the partition");
		free(text);
	}
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		text = ipuof_server_add(ipuof_text(&pod, &p, 0, versions_at(0)),
		    bad[i].where);
		is_int(parse(text, &r, &e), -1, bad[i].where);
		free(text);
	}
	text = ipuof_server_add(xstrdup("no JSON"), "a:1");
	is_str(text, "no JSON", "no file is no file");
	free(text);
}

int
main(void)
{
	struct error e;

	pod_init(&pod);
	is_int(pod_file_parse(&pod, "pod4", pod_embedded("pod16"), &e), 0,
	    "pod16");
	test_text();
	test_parse();
	test_server();
	test_files();
	test_directories();
	pod_release(&pod);
	return tap_done();
}
