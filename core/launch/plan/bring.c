/*
 * --bring-ipubox, for hosts with another ipubox or without one.  Read
 * bring_ask() and bring_place().
 */
#include "core/launch/plan/remote_hosts.h"

#include <sys/stat.h>

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/formats/encoding.h"
#include "core/launch/plan/on_hosts.h"
#include "core/launch/plan/plan.h"
#include "core/launch/plan/run.h"
#include "core/process/process.h"

enum { BRING_ASK_S = 40, BRING_COPY_S = 600, BRING_REMOVE_S = 20 };

#define BRING_ANSWER OWN_PROGRAM_WORD " " DIGEST_WORD " < /dev/null"

/* $1: the file.  Another program does not know the word. */
static const char bring_ask_script[] = "\"$1\" " BRING_ANSWER "; exit 0";

/*
 * $1: the directory, $2: the file's size, $3: the directory's identity on this
 * host.  An incomplete file is removed, as after a lost connection.  -O checks
 * that no other user made the directory; hosts that are one machine may share
 * it.
 *
 * Before a restart, the job's last parent may still exist and will remove the
 * directory, so the script waits for that.  It does not wait in this host's
 * directory, which poprun itself keeps.
 */
static const char bring_place_script[] =
    "umask 077; d=$1; i=0; while [ \"$0\" = sh ] && [ -e \"$d/owner\" ] && [ "
    "$i -lt 15 ]; do if [ \"$(stat -L -c %d:%i \"$d\")\" = \"$3\" ]; then "
    "break; fi; sleep 1; i=$((i + 1)); done; if [ -L \"$d\" ]; then echo \"$d "
    "is a symbolic link\" >&2; exit 1; fi; if mkdir -p \"$d\" && [ -O \"$d\" ] "
    "&& chmod 700 \"$d\" && t=$(mktemp \"$d/.ipubox.XXXXXX\") && cat > \"$t\" "
    "&& [ $(($(wc -c < \"$t\"))) -eq \"$2\" ] && chmod 700 \"$t\"; then if "
    "(\"$t\" " BRING_ANSWER
    ") 2> /dev/null; then mv -f \"$t\" \"$d/ipubox\" && exit 0; else echo \"$t "
    "cannot be executed: check that its file system is not mounted noexec\" "
    ">&2; fi; fi; rm -f \"$t\"; rmdir \"$d\" 2> /dev/null; exit 1";

/* $1: the directory, which stays while parents of a job use it. */
static const char bring_remove_script[] =
    "rm -f \"$1/ipubox\" \"$1\"/.ipubox.??????; rmdir \"$1\" 2> /dev/null; "
    "exit 0";

void
bring_release(struct bring *b)
{
	free(b->own);
	free(b->file);
	*b = (struct bring){ .own = NULL };
}

static int
bring_find_own(struct bring *b, struct error *e)
{
	struct strvec words;
	int status;

	strvec_init(&words);
	status = own_program_add(&words, e);
	if (status == 0) {
		free(b->own);
		b->own = xstrdup(words.items[0]);
	}
	strvec_release(&words);
	return status;
}

/* Return the line that identifies this program's file; NULL: not readable. */
static char *
bring_mark(const struct bring *b, struct error *e)
{
	char digest[DIGEST_SIZE];

	return digest_file(b->own, 0, digest, e) != 0 ?
	    NULL :
	    xasprintf(DIGEST_MARK "%s", digest);
}

/* Find the hosts without this program, after every host was asked. */
static int
bring_judge(struct plan *p, struct on_hosts *o)
{
	struct on_hosts_one *one;
	size_t missing = 0;

	for (one = o->all; one < o->all + o->count; one++) {
		one->skipped = one->child.status == 0;
		if (one->good)
			continue;
		missing++;
		if (one->skipped)
			job_log_line(LOG_INFO,
			    "%s: %s is missing or differs from this ipubox",
			    one->host, p->bring.own);
	}
	if (on_hosts_tell(o, "--bring-ipubox: cannot check") > 0)
		return EXIT_FAILURE;
	if (missing > 0)
		p->bring.file = xasprintf("%s/ipubox", p->host_directory);
	else
		job_log_line(LOG_INFO, "All hosts have this ipubox as %s",
		    p->bring.own);
	return 0;
}

int
bring_ask(struct plan *p, const sigset_t *mask)
{
	struct on_hosts o;
	struct on_hosts_work work = { .script = bring_ask_script,
		.limit_s = BRING_ASK_S };
	struct error e;
	char *mark = NULL;
	int status;

	if (on_hosts_init(&o, &p->agent, &p->hosts, false, mask, &e) != 0 ||
	    bring_find_own(&p->bring, &e) != 0 ||
	    (mark = bring_mark(&p->bring, &e)) == NULL)
		status = job_log_error("--bring-ipubox: %s", e.text);
	else {
		strvec_add(&work.words, p->bring.own);
		work.mark = mark;
		status = on_hosts_run(&o, &work);
		status = status != 0 ? RUN_SIGNAL_STATUS + status :
				       bring_judge(p, &o);
	}
	strvec_release(&work.words);
	free(mark);
	on_hosts_release(&o);
	return status;
}

/* Copy the program to all hosts of the job, this one included, because the path
   is the same on all. */
static int
bring_copy(struct plan *p, struct on_hosts *o, const char *mark, off_t size)
{
	struct on_hosts_work work = { .script = bring_place_script,
		.input_file = p->bring.own,
		.limit_s = BRING_COPY_S,
		.mark = mark };
	char *success_note = xasprintf("copied ipubox to %s", p->bring.file);
	int status;

	work.success_note = success_note;
	strvec_add(&work.words, p->host_directory);
	strvec_addf(&work.words, "%lld", (long long)size);
	strvec_take(&work.words, on_hosts_identity(p->host_directory));
	p->bring.left = true;
	status = on_hosts_run(o, &work);
	if (status != 0)
		status += RUN_SIGNAL_STATUS;
	else if (on_hosts_tell(o, "--bring-ipubox: cannot copy ipubox to") > 0)
		status = EXIT_FAILURE;
	strvec_release(&work.words);
	free(success_note);
	return status;
}

int
bring_place(struct plan *p, const sigset_t *mask)
{
	struct on_hosts o;
	struct stat st;
	struct error e;
	char *mark = NULL;
	int status;

	if (p->bring.file == NULL)
		return 0;
	if (on_hosts_init(&o, &p->agent, &p->hosts, true, mask, &e) != 0 ||
	    (mark = bring_mark(&p->bring, &e)) == NULL)
		status = job_log_error("--bring-ipubox: %s", e.text);
	else if (stat(p->bring.own, &st) != 0) {
		(void)error_set_errno(&e, "cannot read %s", p->bring.own);
		status = job_log_error("--bring-ipubox: %s", e.text);
	} else
		status = bring_copy(p, &o, mark, st.st_size);
	free(mark);
	on_hosts_release(&o);
	return status;
}

void
bring_remove(struct plan *p, const sigset_t *mask)
{
	struct on_hosts o;
	struct on_hosts_work work = { .script = bring_remove_script,
		.limit_s = BRING_REMOVE_S };

	if (!p->bring.left)
		return;
	strvec_add(&work.words, p->host_directory);
	if (on_hosts_init(&o, &p->agent, &p->hosts, true, mask, NULL) == 0)
		(void)on_hosts_run(&o, &work);
	p->bring.left = false;
	strvec_release(&work.words);
	on_hosts_release(&o);
}

static bool
bring_is_own(const struct bring *b, const char *path)
{
	struct stat own, other;

	return stat(b->own, &own) == 0 && stat(path, &other) == 0 &&
	    own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

void
bring_add_program(const struct plan *p, struct strvec *words)
{
	char *const *program = p->program.items;
	const char *name = path_base_name(program[0]);

	if (p->bring.file == NULL || !bring_is_own(&p->bring, p->path)) {
		strvec_add_all(words, program);
		return;
	}
	strvec_add(words, p->bring.file);
	/* A link of that name runs the applet. */
	if (own_program_has(name))
		strvec_add(words, name);
	strvec_add_all(words, program + 1);
}
