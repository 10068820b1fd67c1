/*
 * Reading the server's file, and the rules for addresses.
 */
#include "applets/vipu-server/server_settings.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/stat.h>

#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/files/file.h"
#include "core/base/formats/ini.h"
#include "core/base/parse.h"
#include "core/pod/hardware.h"
#include "core/server/server.h"

enum { SERVER_FILE_MAX = 1 << 20 }; /* bytes */

static const char server_file[] = "/etc/vipu/vipu-server.ini";
static const char *const log_words[] = { "info", "debug", NULL };

/* Settings from a file, kept apart until the whole file is read. */
struct server_file {
	struct server_settings settings;
	int log;
};

/* A probed client has a third of that to answer: a second. */
enum { KEEP_ALIVE_MIN_MS = 3000 };

static int parse_listen(void *, const char *, struct error *);
static int parse_metrics(void *, const char *, struct error *);
static int parse_keep_alive(void *, const char *, struct error *);

static const struct ini_row server_rows[] = {
	{ .section = "server",
	    .key = "listen",
	    .type = INI_CUSTOM,
	    .repeated = true,
	    .parse = parse_listen },
	{ .section = "server",
	    .key = "metrics",
	    .type = INI_CUSTOM,
	    .parse = parse_metrics },
	{ .section = "server",
	    .key = "secure",
	    .type = INI_BOOL,
	    INI_FIELD(struct server_file, settings.secure) },
	{ .section = "server",
	    .key = "insecure",
	    .type = INI_BOOL,
	    INI_FIELD(struct server_file, settings.insecure) },
	{ .section = "server",
	    .key = "log",
	    .type = INI_WORD,
	    INI_FIELD(struct server_file, log),
	    .words = log_words },
	{ .section = "server",
	    .key = "keep-alive",
	    .type = INI_CUSTOM,
	    .parse = parse_keep_alive },
	{ .section = "access",
	    .key = "administrators",
	    .type = INI_TEXT,
	    INI_FIELD(struct server_file, settings.administrators) },
	{ .section = "server", .key = NULL },
	{ .section = "access", .key = NULL },
	{ 0 },
};

/* Accept only numeric addresses: others control what a name means. */
static int
parse_host(struct server_listen *l, const char *what, const char *text,
    int port, struct error *e)
{
	struct in_addr v4;
	struct in6_addr v6;

	if (inet_pton(AF_INET, l->host, &v4) == 1)
		l->is_loopback = (ntohl(v4.s_addr) >> 24) == 127;
	else if (inet_pton(AF_INET6, l->host, &v6) == 1)
		l->is_loopback = IN6_IS_ADDR_LOOPBACK(&v6) != 0;
	else
		return error_set_code(e, ERROR_INVALID,
		    "%s %s: must be a numeric address such as 127.0.0.1:%d, "
		    "0.0.0.0 or [::]:%d",
		    what, text, port, port);
	return 0;
}

/* Parse "ADDR[:PORT]"; the port is the default one if it is left out. */
static int
parse_address(struct server_listen *l, const char *what, const char *text,
    int default_port, struct error *e)
{
	const char *host = text, *port = strrchr(text, ':');
	size_t size;
	long long number = default_port;

	/* "::1" has no port; "[::1]:8090" has one. */
	if (port != NULL && (strchr(text, ':') == port || port[-1] == ']'))
		size = (size_t)(port++ - text);
	else
		size = strlen(text), port = NULL;
	if (port != NULL && parse_number(what, port, 0, 65535, &number, e) != 0)
		return -1;
	if (size >= 2 && host[0] == '[' && host[size - 1] == ']')
		host++, size -= 2;
	if (size >= sizeof(l->host))
		size = sizeof(l->host) - 1;
	memset(l, 0, sizeof(*l));
	memcpy(l->host, host, size);
	if (port != NULL && size == 0)
		(void)strlcpy(l->host, "127.0.0.1", sizeof(l->host));
	l->port = (int)number;
	return parse_host(l, what, text, default_port, e);
}

int
server_settings_listen(struct server_settings *s, const char *what,
    const char *text, struct error *e)
{
	if (s->listen_count == SERVER_LISTEN_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "%s %s: a server listens on at most %d addresses", what,
		    text, SERVER_LISTEN_MAX);
	if (parse_address(&s->listen[s->listen_count], what, text,
		SERVER_ADDRESS_PORT, e) != 0)
		return -1;
	s->listen_count++;
	return 0;
}

int
server_settings_metrics(struct server_settings *s, const char *what,
    const char *text, struct error *e)
{
	return parse_address(&s->metrics, what, text, EXPORTER_PORT, e);
}

static int
parse_listen(void *target, const char *value, struct error *e)
{
	struct server_file *f = target;

	return server_settings_listen(&f->settings, "listen", value, e);
}

static int
parse_metrics(void *target, const char *value, struct error *e)
{
	struct server_file *f = target;

	return server_settings_metrics(&f->settings, "metrics", value, e);
}

static int
parse_keep_alive(void *target, const char *value, struct error *e)
{
	struct server_settings *s = &((struct server_file *)target)->settings;

	if (parse_duration("keep-alive", value, &s->keep_alive_ms, e) != 0)
		return -1;
	return s->keep_alive_ms >= KEEP_ALIVE_MIN_MS ?
	    0 :
	    error_set_code(e, ERROR_INVALID,
		"keep-alive %s: must be at least %d s; a third of it is the "
		"time for the answer",
		value, KEEP_ALIVE_MIN_MS / 1000);
}

static void *
server_begin(void *context, const struct ini_section *section, struct error *e)
{
	(void)section;
	(void)e;
	return context;
}

static int
check_file(const char *path, struct error *e)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return error_set_errno(e, "cannot read %s", path);
	if (st.st_uid != geteuid() && st.st_uid != 0)
		return error_set_code(e, ERROR_UNSAFE,
		    "%s belongs to uid %lu; give it to root", path,
		    (unsigned long)st.st_uid);
	if ((st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
		return error_set_code(e, ERROR_UNSAFE,
		    "%s: only its owner may have write access; run chmod go-w "
		    "%s",
		    path, path);
	return 0;
}

/* Settings of the command line stay. */
static void
server_merge(struct server_settings *s, const struct server_file *f)
{
	if (s->listen_count == 0) {
		memcpy(s->listen, f->settings.listen, sizeof(s->listen));
		s->listen_count = f->settings.listen_count;
	}
	if (s->metrics.host[0] == '\0')
		s->metrics = f->settings.metrics;
	memcpy(s->administrators, f->settings.administrators,
	    sizeof(s->administrators));
	s->secure |= f->settings.secure;
	s->insecure |= f->settings.insecure;
	s->debug |= f->log == 1;
	s->keep_alive_ms = f->settings.keep_alive_ms;
}

int
server_settings_read(struct server_settings *s, const char *path,
    struct error *e)
{
	struct server_file file = { .log = 0 };
	const struct ini_schema schema = { .rows = server_rows,
		.begin = server_begin,
		.context = &file };
	size_t size;
	char *text;
	int status;

	if (path == NULL && access(server_file, F_OK) != 0)
		return 0;
	if (path == NULL)
		path = server_file;
	if (check_file(path, e) != 0 ||
	    (text = file_read(path, SERVER_FILE_MAX, &size, e)) == NULL)
		return -1;
	status = ini_read_text(&schema, path, text, size, e);
	free(text);
	if (status == 0)
		server_merge(s, &file);
	return status;
}

/* Check names separated by commas, without spaces. */
static int
check_administrators(const char *list, struct error *e)
{
	char name[NAME_LENGTH_MAX + 2];
	size_t n;

	for (; *list != '\0'; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		(void)strlcpy(name, list,
		    n + 1 < sizeof(name) ? n + 1 : sizeof(name));
		if (name_check("administrators: user", name, e) != 0)
			return -1;
	}
	return 0;
}

int
server_settings_finish(struct server_settings *s, struct error *e)
{
	if (s->secure && s->insecure)
		return error_set_code(e, ERROR_INVALID,
		    "secure and insecure exclude each other");
	if (s->listen_count == 0 &&
	    server_settings_listen(s, "listen", "127.0.0.1", e) != 0)
		return -1;
	return check_administrators(s->administrators, e);
}
