/*
 * gc-info and gc-monitor beside a program that holds IPUs, run as they are
 * from $IPUBOX: they name it while it lives and not when it is gone.
 */
#include <sys/wait.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <yyjson.h>

#include "core/base/alloc.h"
#include "ipu/device/device.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

static char output[65536];

/* What `ipubox ARGUMENTS` prints, in `output`; its status. */
static int
run(const char *ipubox, char *const *arguments)
{
	int out[2], status;
	size_t used = 0;
	ssize_t n;
	pid_t pid;

	if (pipe(out) != 0 || (pid = fork()) == -1)
		abort();
	if (pid == 0) {
		(void)dup2(out[1], STDOUT_FILENO);
		(void)close(out[0]);
		(void)close(out[1]);
		(void)execv(ipubox, arguments);
		_exit(126);
	}
	(void)close(out[1]);
	while (used < sizeof(output) - 1 &&
	    (n = read(out[0], output + used, sizeof(output) - 1 - used)) > 0)
		used += (size_t)n;
	output[used] = '\0';
	(void)close(out[0]);
	(void)waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Run it; whether it succeeds and prints all of `part`. */
static bool
prints(const char *ipubox, const char *applet, const char *options,
    const char *part)
{
	char name[32], words[128], *arguments[8] = { name };
	char *word, *rest = words;
	int n = 1;

	(void)snprintf(name, sizeof(name), "%s", applet);
	(void)snprintf(words, sizeof(words), "%s", options);
	while ((word = strsep(&rest, " ")) != NULL && n < 7)
		arguments[n++] = word;
	arguments[n] = NULL;
	return run(ipubox, arguments) == 0 && strstr(output, part) != NULL;
}

static void
prepare(void)
{
	struct partition p = make_partition("live", 0, 8);
	struct state s;
	struct error e;

	use_state("live");
	p.reconfigurable = 1;
	ok(state_open(&s, &e) == 0 && state_lock(&s, &e) == 0 &&
		state_add_partition(&s, &p, &e) == 0,
	    "a partition of eight");
	state_unlock(&s);
	state_close(&s);
	(void)setenv("IPUOF_VIPU_API_PARTITION_ID", "live", 1);
	(void)unsetenv("COLUMNS");
	(void)unsetenv("LINES");
}

/* A child that holds `ipus` IPUs until it is killed. */
static pid_t
start_holder(int ipus, const char *command)
{
	struct attachment a;
	struct error e;
	int ready[2];
	pid_t pid;
	char c = '\0';

	if (pipe(ready) != 0 || (pid = fork()) == -1)
		abort();
	if (pid == 0) {
		c = attach(&a, ipus, -1, command, &e) == 0;
		(void)!write(ready[1], &c, 1);
		for (;;)
			(void)pause();
	}
	(void)close(ready[1]);
	ok(read(ready[0], &c, 1) == 1 && c == 1, "a program attaches");
	(void)close(ready[0]);
	return pid;
}

static void
check_json(const char *ipubox, int pid)
{
	yyjson_doc *doc;
	yyjson_val *cards, *ipus, *ipu;
	size_t i, max;
	char text[32];

	ok(prints(ipubox, "gc-monitor", "--json", "\"cards\""), "JSON");
	doc = yyjson_read(output, strlen(output), 0);
	cards = yyjson_obj_get(yyjson_doc_get_root(doc), "cards");
	is_int((long long)yyjson_arr_size(cards), 2, "two machines");
	(void)snprintf(text, sizeof(text), "%d", pid);
	ipus = yyjson_obj_get(yyjson_arr_get(cards, 0), "ipus");
	is_int((long long)yyjson_arr_size(ipus), 4, "of four IPUs each");
	yyjson_arr_foreach(ipus, i, max, ipu) {
		is_str(yyjson_get_str(yyjson_obj_get(ipu, "PID")), text,
		    "the first machine has a process");
	}
	ipus = yyjson_obj_get(yyjson_arr_get(cards, 1), "ipus");
	yyjson_arr_foreach(ipus, i, max, ipu) {
		ok(yyjson_obj_get(ipu, "PID") == NULL, "the second has none");
	}
	yyjson_doc_free(doc);
}

static const char *
list_value(yyjson_val *object, const char *key)
{
	return yyjson_get_str(yyjson_obj_get(object, key));
}

/* The first four of eight IPUs are in use, and the list says by whom. */
static void
check_list_json(const char *ipubox, int pid)
{
	yyjson_doc *doc;
	yyjson_val *devices, *ipu;
	char text[32];

	ok(prints(ipubox, "gc-info", "-lj", "\"devices\""), "list as JSON");
	doc = yyjson_read(output, strlen(output), 0);
	devices = yyjson_obj_get(yyjson_doc_get_root(doc), "devices");
	is_int((long long)yyjson_arr_size(devices), 15, "all devices");
	is_str(list_value(yyjson_arr_get(devices, 3), "state"), "in use",
	    "the fourth is in use");
	is_str(list_value(yyjson_arr_get(devices, 4), "state"), "available",
	    "the fifth is not");
	is_str(list_value(yyjson_arr_get(devices, 14), "state"), "in use",
	    "the group of all is");
	ipu = yyjson_arr_get_first(yyjson_obj_get(yyjson_arr_get(devices, 14),
	    "ipus"));
	(void)snprintf(text, sizeof(text), "%d", pid);
	is_str(list_value(ipu, "user process id"), text, "by whom");
	is_str(list_value(ipu, "user executable"), "train.py", "and what");
	yyjson_doc_free(doc);
}

/* The places by which programs know the columns. */
static void
check_csv(const char *ipubox)
{
	static const struct {
		int column;
		const char *value;
	} rows[] = {
		{ 0, "live" },
		{ 6, "0" },
		{ 14, "train.py" },
		{ 15, "1330MHz" },
		{ 16, "39.2 C" },
		{ 17, "29.6 C" },
		{ 18, "112.0 W" },
		{ 23, "0.00%" },
		{ 25, "41.0 W" },
		{ 26, "ACTIVE" },
		{ 27, "up" },
		{ 28, "in use" },
		{ 29, "here" },
		{ 30, "train.py" },
	};
	char *line = output, *cell[33];
	size_t i, n = 0;

	ok(prints(ipubox, "gc-monitor", "-c -s --no-headers", "live,true,"),
	    "CSV");
	line[strcspn(line, "\n")] = '\0';
	while (n < 33 && (cell[n] = strsep(&line, ",")) != NULL)
		n++;
	is_int((long long)n, 33, "its columns");
	for (i = 0; n == 33 && i < ARRAY_SIZE(rows); i++)
		is_str(cell[rows[i].column], rows[i].value,
		    "where scripts look for it");
}

static void
test_live(const char *ipubox)
{
	char pid_text[64];
	pid_t pid = start_holder(4, "train.py");

	(void)snprintf(pid_text, sizeof(pid_text), "\n  user process id: %d\n",
	    (int)pid);
	ok(prints(ipubox, "gc-info", "-i -d 3", pid_text), "gc-info: pid");
	ok(strstr(output, "\n  user executable: train.py\n") != NULL &&
		strstr(output, "\n  user name: ") != NULL &&
		strstr(output, "\n  process start time: 20") != NULL &&
		strstr(output, "\n  average die temp: N/A\n") != NULL,
	    "gc-info: command, user, time; no sensors");
	ok(prints(ipubox, "gc-info", "-i -d 8", pid_text), "its pair as well");
	ok(prints(ipubox, "gc-info", "-i -d 4", "\n  target: Fabric\n") &&
		strstr(output, "user") == NULL,
	    "the fifth IPU is free");
	ok(prints(ipubox, "gc-info", "-l",
	       "-+- Id:  [4], type:    [Fabric], PCI Domain: [3]\n") &&
		strstr(output, "Id:  [3]") == NULL &&
		strstr(output, "Id: [12]") == NULL &&
		strstr(output, "Id: [13], type: [Multi IPU]\n") != NULL &&
		strstr(output, "Id: [14]") == NULL,
	    "what is in use, and groups with it, are out of the list");
	ok(prints(ipubox, "gc-info", "-l --all",
	       "-+- Id:  [3], type:    [Fabric], PCI Domain: [0], [in "
	       "use]\n") &&
		strstr(output, "Id: [14], type: [Multi IPU], [in use]\n") !=
		    NULL,
	    "all are marked");
	check_list_json(ipubox, (int)pid);
	ok(!prints(ipubox, "gc-info", "-d 8 --tile-overview", "") &&
		output[0] == '\0',
	    "no look into an IPU in use");
	ok(prints(ipubox, "gc-info", "-d 4 --tile-overview", "  0 xx:: "),
	    "but into one that is free");
	ok(prints(ipubox, "gc-monitor", "--no-card-info",
	       "Attached processes in partition live"),
	    "gc-monitor: its table");
	ok(strstr(output, "|                train.py                 |") !=
		NULL,
	    "gc-monitor: the command");
	check_json(ipubox, (int)pid);
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	ok(prints(ipubox, "gc-info", "-i -d 3", "\n  target: Fabric\n") &&
		strstr(output, "user") == NULL,
	    "gc-info: killed, free at once");
	ok(prints(ipubox, "gc-monitor", "--no-card-info",
	       "No attached processes in partition live"),
	    "gc-monitor: free as well");
}

static void
test_sensors(const char *ipubox)
{
	pid_t pid;

	(void)setenv("GCDA_MONITOR", "1", 1);
	pid = start_holder(8, "train.py");
	(void)unsetenv("GCDA_MONITOR");
	ok(prints(ipubox, "gc-monitor", "--no-card-info",
	       "| 0  | 1330MHz  | 39.2 C | 29.6 C |112.0 W |\n"),
	    "a program that asks for sensors: they are shown");
	ok(strstr(output, "| 1  | 1330MHz  | 39.2 C |        |        |\n") !=
		    NULL &&
		strstr(output,
		    "| 4  | 1330MHz  | 39.2 C | 29.6 C |112.0 W |\n") != NULL,
	    "a machine's once for each machine");
	check_csv(ipubox);
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
}

/* The program's name, and the whole line for who asks. */
static void
test_commands(const char *ipubox)
{
	pid_t pid = start_holder(1, "/usr/bin/python3 train.py --lr 1"),
	      other = start_holder(1, "./worker");

	ok(prints(ipubox, "gc-monitor", "--no-card-info",
	       "|                 python3                 |"),
	    "its name");
	ok(strstr(output, "|                 worker                  |") !=
		    NULL &&
		strstr(output, "train.py") == NULL,
	    "and no more");
	ok(strstr(output, "| 0  | 1330MHz  |  N/A   |  N/A   |  N/A   |\n") !=
		    NULL &&
		strstr(output,
		    "| 1  | 1330MHz  |  N/A   |        |        |\n") != NULL,
	    "the board's readings stand once");
	ok(prints(ipubox, "gc-monitor", "--verbose",
	       "|    /usr/bin/python3 train.py --lr 1     |"),
	    "the whole line");
	(void)setenv("COLUMNS", "80", 1);
	ok(prints(ipubox, "gc-monitor", "--no-card-info", "|...d|") &&
		strstr(output, "|...3|") != NULL,
	    "80 columns: its end");
	ok(prints(ipubox, "gc-monitor", "--no-card-info -v --wide",
	       "|    /usr/bin/python3 train.py --lr 1     |"),
	    "--wide");
	ok(strstr(output, "|  Temp  | Power  |  Util   |\n") != NULL &&
		strstr(output, "|  N/A   |  N/A   |  0.00%  |\n") != NULL,
	    "--wide has the utilisation as well");
	(void)unsetenv("COLUMNS");
	ok(prints(ipubox, "gc-monitor", "-j", "\"Command\": \"python3\"") &&
		strstr(output,
		    "\"Command line\": \"/usr/bin/python3 train.py --lr 1\"") !=
		    NULL,
	    "JSON has both");
	(void)kill(pid, SIGKILL);
	(void)kill(other, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	(void)waitpid(other, NULL, 0);
}

/* Of a process that is not of this namespace or host no pid is given. */
static void
check_no_pid(const char *ipubox, const char *from)
{
	char text[64];

	(void)snprintf(text, sizeof(text), "\"Attached from\": \"%s\"", from);
	ok(prints(ipubox, "gc-monitor", "-j", text), text);
	ok(strstr(output, "PID") == NULL &&
		strstr(output, "\"Application host\": ") != NULL,
	    "JSON: a host, and no pid");
	ok(prints(ipubox, "gc-monitor", "-c -s", from), "CSV: the same");
	ok(strstr(output, ",1.9.0,2.4.4,,") != NULL, "CSV: no pid");
	(void)snprintf(text, sizeof(text), ",%d,", (int)getpid());
	ok(strstr(output, text) == NULL, "nor in another column");
}

/* A holder's words from another pid namespace. */
static void
test_elsewhere(const char *ipubox)
{
	struct attachment a;
	struct error e;

	ok(attach(&a, 1, 5, "train.py", &e) == 0, "attach to IPU 5");
	attach_slot(&a, 0)->pid_namespace ^= 1;
	check_no_pid(ipubox, "another pid namespace");
	(void)snprintf(attach_slot(&a, 0)->host, SLOT_HOST_SIZE, "node7");
	ok(prints(ipubox, "gc-monitor", "--no-card-info",
	       "|         IPUs in live attached from other namespaces          "
	       "|         Board         |\n"),
	    "a table of its own");
	ok(strstr(output,
	       "| 5  |            node7             |   1330MHz    |    N/A    "
	       "|    N/A    |    N/A    |\n") != NULL,
	    "with its host");
	ok(strstr(output, "Attached processes") == NULL, "and no other");
	check_no_pid(ipubox, "another host");
	attach_end(&a);
}

int
main(void)
{
	const char *ipubox = getenv("IPUBOX");

	if (ipubox == NULL) {
		tap_skip("gc-info and gc-monitor", "IPUBOX names no program");
		return tap_done();
	}
	(void)unsetenv("GCDA_MONITOR");
	(void)unsetenv("GCDA_OPTIONS");
	prepare();
	test_live(ipubox);
	test_sensors(ipubox);
	test_commands(ipubox);
	test_elsewhere(ipubox);
	return state_util_done();
}
