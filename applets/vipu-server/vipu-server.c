/*
 * vipu-server: the V-IPU controller, for clients on this and other hosts.
 *
 * This file has the command line and the preparations; serve.c serves.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "applets/applet.h"
#include "applets/vipu-server/daemon.h"
#include "applets/vipu-server/vipu-server_internal.h"
#include "core/base/alloc.h"
#include "core/base/log.h"
#include "core/base/options.h"
#include "core/control/control.h"
#include "core/pod/document/document.h"
#include "core/state/state.h"

enum {
	KEY_SECURE = OPTIONS_LONG,
	KEY_INSECURE,
	KEY_LISTEN,
	KEY_METRICS,
	KEY_CONFIG,
	KEY_INIT,
	KEY_DEFAULT_USER,
	KEY_VERSION
};

static const struct option_row vipu_server_options[] = {
	{ KEY_LISTEN, "listen", "ADDR[:PORT]",
	    "listen on this address; may be repeated (default: "
	    "127.0.0.1:8090)" },
	{ KEY_METRICS, "metrics", "ADDR[:PORT]",
	    "serve metrics by HTTP on this address; the port is 2112 if left "
	    "out (default: none)" },
	{ KEY_SECURE, "secure", NULL,
	    "serve only a pod in secure mode; with --init: make such a pod" },
	{ KEY_INSECURE, "insecure", NULL,
	    "serve other hosts even if the pod is not in secure mode" },
	{ KEY_CONFIG, "config", "FILE",
	    "read this configuration file (default: "
	    "/etc/vipu/vipu-server.ini)" },
	{ KEY_INIT, "init", NULL,
	    "make a Pod64 if no pod exists yet, and exit" },
	{ KEY_DEFAULT_USER, "default-user-id", "ID",
	    "with --init --secure: name the first user (default: your name)" },
	{ 'n', NULL, NULL, "check the configuration and exit" },
	{ 'd', "debug", NULL, "log more" },
	{ KEY_VERSION, "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 },
};

static int vipu_server_main(int, char **);

const struct applet vipu_server_applet = {
	.name = "vipu-server",
	.purpose = "serve the pod to V-IPU clients (the controller)",
	.synopsis =
	    "[-dn] [--secure | --insecure] [--listen ADDR[:PORT]] [--metrics "
	    "ADDR[:PORT]] [--config FILE]\n"
	    "       vipu-server --init [--secure] [--default-user-id ID]",
	.options = vipu_server_options,
	.main = vipu_server_main,
	.examples = "  vipu-server --init --secure\n"
		    "  vipu-server --listen 10.1.3.101 --metrics 10.1.3.101",
};

/* The parsed command line. */
struct server_command {
	struct server_settings settings;
	const char *file;
	const char *user; /* name of the first user */
	bool check;
	bool init;
};

/* Handle an option.  Returns OPTIONS_END to go on, or the exit status. */
static int
server_option(struct server_command *c, int key, const char *argument)
{
	struct error e;

	switch (key) {
	case KEY_LISTEN:
		if (server_settings_listen(&c->settings, "--listen", argument,
			&e) != 0)
			return applet_misuse(&vipu_server_applet, "%s", e.text);
		break;
	case KEY_METRICS:
		if (server_settings_metrics(&c->settings, "--metrics", argument,
			&e) != 0)
			return applet_misuse(&vipu_server_applet, "%s", e.text);
		break;
	case KEY_SECURE:
		c->settings.secure = true;
		break;
	case KEY_INSECURE:
		c->settings.insecure = true;
		break;
	case KEY_CONFIG:
		c->file = argument;
		break;
	case KEY_INIT:
		c->init = true;
		break;
	case KEY_DEFAULT_USER:
		c->user = argument;
		break;
	case 'n':
		c->check = true;
		break;
	case 'd':
		c->settings.debug = true;
		break;
	case KEY_VERSION:
		return applet_version(&vipu_server_applet);
	case 'h':
		return applet_help(&vipu_server_applet);
	}
	return OPTIONS_END;
}

static int
server_read_options(struct server_command *c, int argc, char **argv)
{
	struct option_parser p;
	struct error e;
	int key, status;

	options_init(&p, vipu_server_options, argc, argv, false);
	while ((key = options_next(&p, &e)) != OPTIONS_END) {
		if (key == OPTIONS_ERROR)
			return applet_misuse(&vipu_server_applet, "%s", e.text);
		status = server_option(c, key, p.argument);
		if (status != OPTIONS_END)
			return status;
	}
	if (p.operand < argc)
		return applet_misuse(&vipu_server_applet,
		    "unexpected argument '%s'", argv[p.operand]);
	if (c->user != NULL && !(c->init && c->settings.secure))
		return applet_misuse(&vipu_server_applet,
		    "--default-user-id needs --init --secure");
	return OPTIONS_END;
}

static const char storage_pod[] = "pod64";

static int
storage_check_none(const struct state_paths *paths, struct error *e)
{
	char *file = xasprintf("%s/pod.ini", paths->directory);
	bool is_there = access(file, F_OK) == 0;

	free(file);
	return !is_there ?
	    0 :
	    error_set_code(e, ERROR_EXISTS,
		"a pod already exists in %s; leave out --init, or replace the "
		"pod with vipu-admin init",
		paths->directory);
}

/*
 * Create the default pod (--init) and print it on stdout; for a secure pod also
 * the first user (`name`, NULL: the caller's) and its key.  ERROR_EXISTS: a pod
 * exists.
 *
 * Source: V-IPU administrator guide, vipu-server --init.
 */
static int
storage_init(bool secure, const char *name, struct error *e)
{
	struct new_pod n = { .mode = secure ? NEW_POD_SECURE : NEW_POD_OPEN };
	struct state_paths paths;
	char key[ACCESS_KEY_SIZE];
	struct user user;
	struct pod pod;
	int status = 0;

	if (paths_find(&paths, e) != 0 || storage_check_none(&paths, e) != 0 ||
	    pod_file_parse(&pod, storage_pod, pod_embedded(storage_pod), e) !=
		0)
		return -1;
	if (secure) {
		n.user = &user;
		status = users_make_first(&user, name, &pod, key, e);
	}
	if (status == 0)
		status = new_pod_init(&paths, &pod, &n, e);
	pod_release(&pod);
	if (status != 0)
		return -1;
	printf("Initialised storage: %s\n", paths.directory);
	if (secure)
		printf("Default user is: %s\nAccess Key is: %s\n", user.name,
		    key);
	return 0;
}

static int
vipu_server_main(int argc, char **argv)
{
	struct server_command c = { .file = NULL };
	struct error e;
	int status = server_read_options(&c, argc, argv);

	if (status != OPTIONS_END)
		return status;
	if (c.init)
		return storage_init(c.settings.secure, c.user, &e) == 0 ?
		    EXIT_DONE :
		    applet_failed(&vipu_server_applet, &e);
	if (server_settings_read(&c.settings, c.file, &e) != 0 ||
	    server_settings_finish(&c.settings, &e) != 0)
		return applet_failed(&vipu_server_applet, &e);
	if (c.check)
		return EXIT_DONE;
	log_open(vipu_server_applet.name, c.settings.debug);
	if (serve_run(&c.settings, &e) != 0)
		return applet_failed(&vipu_server_applet, &e);
	return EXIT_DONE;
}
