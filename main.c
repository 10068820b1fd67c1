/*
 * ipubox: the IPU Pod tool family in one file.
 *
 * The applet is chosen by the program's name, else by its first argument
 * (without "ipubox-" if desired).  Results go to stdout, which is flushed and
 * checked once, here.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/applet.h"
#include "applets/candidates.h"
#include "applets/poprun/poprun.h"
#include "applets/train/train.h"
#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/formats/encoding.h"
#include "core/base/parse.h"
#include "core/kube/runner/runner.h"
#include "core/launch/parent.h"
#include "core/launch/parent_task.h"
#include "core/process/process.h"
#include "core/state/lock.h"
#include "ipu/device/device.h"
#include "ipu/engine/engine_child.h"
#include "ipu/profile/profile.h"

enum {
	EXIT_NO_APPLET = 127, /* as the shell's "command not found" */
	EXIT_SIGNAL = 128     /* 128 + n: killed by signal n, as in a shell */
};

enum {
	KEY_INSTALL = OPTIONS_LONG,
	KEY_INSTALL_SDK,
	KEY_LICENSES,
	KEY_UNPACK,
	KEY_VERSION
};

static const struct option_row main_options[] = {
	{ KEY_INSTALL, "install", NULL,
	    "create hard links to ipubox in DIR, one for each applet" },
	{ 's', "symbolic", NULL,
	    "with --install: create symbolic links instead" },
	{ KEY_INSTALL_SDK, "install-sdk", NULL,
	    "install the SDK for your own programs into DIR; see "
	    "ipubox-sdk(7)" },
	{ KEY_UNPACK, "unpack", NULL,
	    "copy ipubox, its links and the SDK into DIR" },
	{ 'f', "force", NULL,
	    "with --install, --install-sdk or --unpack: overwrite existing "
	    "files" },
	{ KEY_LICENSES, "licenses", NULL,
	    "print the licences of ipubox and its libraries" },
	{ KEY_VERSION, "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 },
};

/* Original argv[0]; run_applet() changes it to the applet's name. */
static const char *called;

/* Optional prefix of an applet's name. */
static const char family[] = "ipubox-";

static const char help_word[] = "help";

/* Find an applet as git does: `ipubox train` is ipubox-train. */
static const struct applet *
main_find_command(const char *name)
{
	const struct applet *applet = applet_find(name);
	char *full;

	if (applet == NULL) {
		full = xasprintf("%s%s", family, name);
		applet = applet_find(full);
		free(full);
	}
	return applet;
}

/* Report a wait for another process at once, in any applet. */
static void
notify_wait(const char *text)
{
	fprintf(stderr, "%s: %s\n", program_invocation_short_name, text);
}

static int
run_applet(const struct applet *applet, int argc, char **argv)
{
	/* argv[0] and the name in err(3)'s messages are the applet's, also for
	   `ipubox APPLET`. */
	argv[0] = xstrdup(applet->name);
	program_invocation_name = argv[0];
	program_invocation_short_name = argv[0];
	lock_set_notify(notify_wait);
	return applet->main(argc, argv);
}

/* The list of applets is the table itself: everything linked in is shown. */
static void
main_print_help(void)
{
	const struct applet *const *a;

	printf("usage: ipubox APPLET [argument ...]\n"
	       "       ipubox help [NAME]\n"
	       "       ipubox --install [-s] [-f] DIR\n"
	       "       ipubox --install-sdk [-f] DIR\n"
	       "       ipubox --unpack [-f] DIR\n"
	       "       ipubox --help | --licenses | --version\n\n"
	       "%s\n\n",
	    install_mark);
	for (a = all_applets; *a != NULL; a++)
		printf("  %-16s %s\n", (*a)->name, (*a)->purpose);
	printf("\nOptions:\n\n");
	options_print(stdout, main_options);
	applet_examples(stdout,
	    "  ipubox --install -s ~/bin\n"
	    "  ipubox gc-info -l\n"
	    "  ipubox help poprun");
}

static int
main_misuse(const char *text)
{
	fprintf(stderr,
	    "ipubox: %s\nusage: ipubox APPLET [argument ...] (ipubox --help "
	    "lists the applets)\n",
	    text);
	return EXIT_USAGE;
}

/* Options of ipubox itself that take a directory. */
static const struct installer {
	int key;
	const char *name;
	int (*run)(const struct install *);
} installers[] = {
	{ KEY_INSTALL, "--install", install_links },
	{ KEY_INSTALL_SDK, "--install-sdk", install_sdk },
	{ KEY_UNPACK, "--unpack", install_unpack },
	{ 0 },
};

static const struct installer *
main_find_installer(int key)
{
	const struct installer *r = installers;

	while (r->key != 0 && r->key != key)
		r++;
	return r->key != 0 ? r : NULL;
}

static int
main_install(struct install *i, const struct installer *r, int count,
    char *const *operands)
{
	char *text;
	int status;

	if (r == NULL)
		return main_misuse("which applet?");
	if (i->symbolic && r->key != KEY_INSTALL)
		return main_misuse("-s needs --install");
	if (count != 1) {
		text = xasprintf("%s takes one directory", r->name);
		status = main_misuse(text);
		free(text);
		return status;
	}
	i->directory = operands[0];
	return r->run(i);
}

static int
ipubox_main(int argc, char **argv)
{
	struct install i = { .applets = all_applets, .called = called };
	const struct installer *installer = NULL;
	struct option_parser parser;
	struct error error;
	int key;

	options_init(&parser, main_options, argc, argv, false);
	while ((key = options_next(&parser, &error)) >= 0) {
		switch (key) {
		case KEY_INSTALL:
		case KEY_INSTALL_SDK:
		case KEY_UNPACK:
			if (installer != NULL && installer->key != key)
				return main_misuse(
				    "use only one of --install, --install-sdk "
				    "and --unpack");
			installer = main_find_installer(key);
			break;
		case 's':
			i.symbolic = true;
			break;
		case 'f':
			i.force = true;
			break;
		case KEY_LICENSES:
			return help_licenses();
		case KEY_VERSION:
			printf("ipubox %s\n", IPUBOX_VERSION);
			return EXIT_DONE;
		default:
			main_print_help();
			return EXIT_DONE;
		}
	}
	if (key == OPTIONS_ERROR)
		return main_misuse(error.text);
	return main_install(&i, installer, parser.argc - parser.operand,
	    argv + parser.operand);
}

/* Offer all names; short ones, such as "train", only for a word that has
   begun. */
static void
main_offer_applets(const struct candidates *c)
{
	const struct applet *const *a;

	for (a = all_applets; *a != NULL; a++) {
		candidates_offer(c, (*a)->name);
		if (c->begun[0] != '\0' &&
		    strncmp((*a)->name, family, strlen(family)) == 0)
			candidates_offer(c, (*a)->name + strlen(family));
	}
}

/* A line of an applet to complete, and its operands so far. */
struct applet_line {
	const struct applet *applet;
	int operands;
};

static const struct option_row *
main_find_option(void *context, const char *word)
{
	const struct applet_line *l = context;

	return candidates_find(l->applet->options, word);
}

static bool
main_read_operand(void *context, const char *word)
{
	struct applet_line *l = context;

	(void)word;
	l->operands++;
	return l->applet->operand != CANDIDATES_PROGRAM;
}

/* Complete within an applet: an option's value, an option, or an operand. */
static int
main_complete_applet(const struct applet *applet, char **words, int count)
{
	const struct caller anonymous = { .user = "" };
	struct applet_line line = { .applet = applet };
	struct candidates c = { .find = main_find_option,
		.operand = main_read_operand,
		.context = &line,
		.caller = &anonymous };

	if (!candidates_read(&c, words, count))
		return EXIT_DONE;
	if (c.option != NULL)
		return candidates_offer_values(&c, applet->values);
	if (c.begun[0] == '-')
		candidates_offer_options(&c, applet->options);
	else if (line.operands == 0)
		return candidates_offer_kind(&c,
		    (enum candidates_kind)applet->operand);
	return EXIT_DONE;
}

/* Answer the scripts of completion: ipubox __complete [APPLET [WORD ...]].
   Completes the last word: an applet's name, an option of ipubox, or a part of
   the applet's line. */
static int
main_complete(int argc, char **argv)
{
	const struct applet *applet;
	const char *begun = argv[argc - 1];
	struct candidates c = { .begun = begun };

	if (argc < 3)
		return EXIT_DONE;
	if (argc == 4 && strcmp(argv[2], help_word) == 0) {
		help_offer(&c);
		return CANDIDATES_CLOSED;
	}
	if (argc == 3) {
		main_offer_applets(&c);
		candidates_offer(&c, help_word);
		if (begun[0] == '-')
			candidates_offer_options(&c, main_options);
		return EXIT_DONE;
	}
	if ((applet = main_find_command(argv[2])) == NULL)
		return EXIT_NO_APPLET;
	if (applet->options == NULL) {
		argv[2] = argv[1];
		return run_applet(applet, argc - 1, argv + 1);
	}
	return main_complete_applet(applet, argv + 3, argc - 3);
}

/* Started by poprun's engines: ipubox __parent INSTANCE PROGRAM ..., where
   INSTANCE is "task" below srun. */
static int
main_parent(int argc, char **argv)
{
	struct error e = { .text = "" };
	int instance, status;

	if (argc < 4)
		return main_misuse("which instance, and which program?");
	if (parent_task_enter(argv[2], &instance, &e) != 0)
		return main_misuse(e.text);
	status = parent_run(instance, argv + 3, &e);
	if (status == -1)
		fprintf(stderr, "ipubox: instance %d: %s\n", instance, e.text);
	return status == -1 ? EXIT_FAILED : status;
}

/* Started by poprun --check on other hosts: ipubox __check */
static int
main_check(int argc)
{
	struct error e;

	if (argc != 2)
		return main_misuse("__check takes no arguments; it reads a "
				   "request from standard input");
	if (check_remote_run(STDIN_FILENO, stdout, &e) == 0)
		return EXIT_DONE;
	fprintf(stderr, "ipubox: %s\n", e.text);
	return EXIT_FAILED;
}

static void
warn_program(const char *text)
{
	fprintf(stderr, "ipubox: %s\n", text);
}

/* Started by programs in any language: ipubox __device, and for a model that
   this program computes ipubox __engine */
static int
main_serve(int argc, bool engine)
{
	struct error e;

	if (argc != 2)
		return main_misuse(engine ?
			"__engine takes no arguments; it reads messages from "
			"standard input" :
			"__device takes no arguments; it reads requests from "
			"standard input");
	if ((engine ? engine_child_run(STDIN_FILENO, STDOUT_FILENO, &e) :
		      device_child_run(STDIN_FILENO, STDOUT_FILENO,
			  warn_program, &e)) == 0)
		return EXIT_DONE;
	fprintf(stderr, "ipubox: %s\n", e.text);
	return EXIT_FAILED;
}

/* Started by the SDK for a model that it computes itself: ipubox __outline
   [--profile DIR | --cache DIR] */
static int
main_outline(int argc, char **argv)
{
	const char *directory = argc == 4 ? argv[3] : NULL;
	struct engine_settings settings;
	struct error e;
	int status;

	if (engine_options_parse_settings(&settings,
		getenv(ENGINE_OPTIONS_VARIABLE), &e) != 0)
		status = -1;
	else if (directory != NULL && *directory != '\0' &&
	    strcmp(argv[2], "--cache") == 0)
		status = outline_answer_run_cached(STDIN_FILENO, directory,
		    stdout, &e);
	else if (argc == 2 ||
	    (directory != NULL && *directory != '\0' &&
		strcmp(argv[2], "--profile") == 0)) {
		status = outline_answer_run(STDIN_FILENO, directory, stdout,
		    &e);
		if (status == 0 && directory != NULL)
			status = profile_index_write_job(directory, &e);
	} else
		return main_misuse(
		    "__outline takes only --profile DIR or --cache DIR; it "
		    "reads a document from standard input");
	if (status == 0)
		return EXIT_DONE;
	fprintf(stderr, "ipubox: %s\n", e.text);
	return EXIT_FAILED;
}

/* Started by the runner of an IPUJob: ipubox __pod DIRECTORY */
static int
main_pod(int argc, char **argv)
{
	struct error e;
	int status;

	if (argc != 3)
		return main_misuse("which pod?");
	status = pod_process_run(argv[2], &e);
	fprintf(stderr, "ipubox: %s\n", e.text);
	return status;
}

/* Started by poprun on another host: ipubox __digest */
static int
main_digest(int argc)
{
	char *self = program_own_file(called, getenv("PATH"));
	char text[DIGEST_SIZE];
	struct error e;
	int status;

	if (argc != 2 || self == NULL) {
		free(self);
		return main_misuse(
		    "__digest takes no arguments and needs ipubox's own file");
	}
	if ((status = digest_file(self, 0, text, &e)) == 0)
		printf("%s%s\n", DIGEST_MARK, text);
	else
		fprintf(stderr, "ipubox: %s\n", e.text);
	free(self);
	return status == 0 ? EXIT_DONE : EXIT_FAILED;
}

/* Suggest the nearest name.  "ipubox-train" is also offered by its short name.
   The guide's script has another name here. */
static int
no_applet(const char *name)
{
	const struct applet *const *a;
	struct suggestion nearest;
	struct error e;

	suggest_begin(&nearest, name);
	for (a = all_applets; *a != NULL; a++) {
		suggest_offer(&nearest, (*a)->name);
		if (strncmp((*a)->name, family, strlen(family)) == 0)
			suggest_offer(&nearest, (*a)->name + strlen(family));
	}
	if (strcmp(name, "copy_ssh.sh") == 0)
		nearest.best = "copy-ssh";
	(void)error_set(&e,
	    "no applet is called '%s' (ipubox --help lists them)", name);
	(void)suggest_append(&nearest, "", &e);
	fprintf(stderr, "ipubox: %s\n", e.text);
	return EXIT_NO_APPLET;
}

/* Choose by the program's name ("__ipubox" stands for any), then by the first
   argument.  The name comes first: "poprun vipu" runs a program called vipu. */
static int
dispatch(int argc, char **argv)
{
	const struct applet *applet;
	const char *name;
	struct error e;

	name = argc > 0 ? path_base_name(argv[0]) : "ipubox";
	if (argc > 1 && strcmp(argv[1], OWN_PROGRAM_WORD) == 0) {
		name = "ipubox";
		argc--;
		argv++;
	}
	/* A link made by hand: no applet has that name. */
	if (strcmp(name, "kubectl") == 0)
		name = "ipubox-job";
	if ((applet = applet_find(name)) != NULL)
		return run_applet(applet, argc, argv);
	if (!own_program_is_ipubox(name))
		return no_applet(name);
	if (argc < 2) {
		main_print_help();
		return EXIT_DONE;
	}
	if (argv[1][0] == '-')
		return ipubox_main(argc, argv);
	if (strcmp(argv[1], "__complete") == 0)
		return main_complete(argc, argv);
	if (strcmp(argv[1], PARENT_WORD) == 0)
		return main_parent(argc, argv);
	if (strcmp(argv[1], CHECK_REMOTE_WORD) == 0)
		return main_check(argc);
	if (strcmp(argv[1], DIGEST_WORD) == 0)
		return main_digest(argc);
	if (strcmp(argv[1], DEVICE_CHILD_WORD) == 0)
		return main_serve(argc, false);
	if (strcmp(argv[1], OUTLINE_ANSWER_WORD) == 0)
		return main_outline(argc, argv);
	if (strcmp(argv[1], ENGINE_CHILD_WORD) == 0)
		return main_serve(argc, true);
	if (strcmp(argv[1], DIGITS_WORD) == 0)
		return train_digits(argc - 1, argv + 1, &e) == 0 ?
		    EXIT_DONE :
		    main_misuse(e.text);
	if (strcmp(argv[1], POD_PROCESS_WORD) == 0)
		return main_pod(argc, argv);
	if (strcmp(argv[1], help_word) == 0)
		return argc > 3 ? main_misuse("help takes one NAME") :
				  help_main(argv[2]);
	if ((applet = main_find_command(argv[1])) != NULL)
		return run_applet(applet, argc - 1, argv + 1);
	return no_applet(argv[1]);
}

/* Open descriptors 0 to 2 if closed, so that no file takes their place.  They
   are opened in the wrong direction: using them stays an error. */
static void
open_standard_streams(void)
{
	static const int modes[] = { O_WRONLY, O_RDONLY, O_RDONLY };
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) == -1 &&
		    open("/dev/null", modes[fd]) == -1)
			return; /* an empty chroot has no /dev/null */
}

/* Whether stdout is a pipe or socket without a reader. */
static bool
stdout_has_no_reader(void)
{
	struct pollfd fd = { .fd = STDOUT_FILENO };

	return poll(&fd, 1, 0) == 1 && (fd.revents & (POLLERR | POLLHUP)) != 0;
}

/* Flush stdout; report a loss on stderr.  Most applets die of SIGPIPE when the
   reader ends early, as head(1) does.  Those that ignore the signal end here,
   also silently and with the shell's status for it. */
static int
close_stdout(void)
{
	int status = fflush(stdout);

	if (status == 0 && !ferror(stdout))
		return EXIT_DONE;
	if (stdout_has_no_reader())
		return EXIT_SIGNAL + SIGPIPE;
	/* The reason of an earlier failure is unknown. */
	fprintf(stderr, "%s: cannot write to standard output%s%s\n",
	    program_invocation_short_name, status != 0 ? ": " : "",
	    status != 0 ? strerror(errno) : "");
	return EXIT_FAILED;
}

/* stdout has a large buffer unless it is a terminal, and is checked for errors
   once, here: applets need not check each printf(). */
int
main(int argc, char **argv)
{
	static char buffer[64 * 1024];
	int status, closed;

	title_init(argc, argv);
	called = argc > 0 ? argv[0] : "";
	applet_register(all_applets, called);
	open_standard_streams();
	/* The C library's buffer is 1 KiB: a system call for every few
	   lines. */
	if (!isatty(STDOUT_FILENO))
		(void)setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	status = dispatch(argc, argv);
	closed = close_stdout();
	return status == EXIT_DONE || closed > EXIT_FAILED ? closed : status;
}
