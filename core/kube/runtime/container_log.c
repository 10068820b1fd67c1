/*
 * The log of a container: written line by line with times to rotated files, and
 * read across all of them.
 */
#include "core/kube/runtime/runtime.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"

enum {
	TIME_SIZE = 40, /* "2026-11-23T14:19:35.123456789Z" */
	HEAD_SIZE = TIME_SIZE + 16,
	NS = 1000000000
};

struct container_log {
	char *path;
	int fd;
	off_t size;
};

static const char *const container_log_stream_names[] = {
	[CONTAINER_STDOUT] = "stdout", [CONTAINER_STDERR] = "stderr"
};

static void
log_time_text(int64_t now_ns, char text[TIME_SIZE])
{
	const time_t t = (time_t)(now_ns / NS);
	struct tm tm;
	char seconds[24];

	if (gmtime_r(&t, &tm) == NULL ||
	    strftime(seconds, sizeof(seconds), "%Y-%m-%dT%H:%M:%S", &tm) == 0)
		seconds[0] = '\0';
	(void)snprintf(text, TIME_SIZE, "%s.%09" PRId64 "Z", seconds,
	    now_ns % NS);
}

/* Return "LOG.3", which the caller frees; the newest file has no number. */
static char *
rotated_path(const char *path, int turn)
{
	return turn == 0 ? xstrdup(path) : xasprintf("%s.%d", path, turn);
}

static int
open_newest(struct container_log *l, struct error *e)
{
	struct stat st;

	l->fd = open(l->path,
	    O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (l->fd == -1 || fstat(l->fd, &st) != 0)
		return error_set_errno(e, "cannot open %s", l->path);
	l->size = st.st_size;
	return 0;
}

struct container_log *
container_log_open(const char *path, struct error *e)
{
	struct container_log *l = xcalloc(1, sizeof(*l));

	l->path = xstrdup(path);
	if (open_newest(l, e) == 0)
		return l;
	container_log_close(l);
	return NULL;
}

void
container_log_close(struct container_log *l)
{
	if (l == NULL)
		return;
	if (l->fd != -1)
		(void)close(l->fd);
	free(l->path);
	free(l);
}

/*
 * Rotate: remove the oldest file and rename the others.  Skip it if the last
 * rotation could not create the newest file: otherwise each lost line would
 * remove another file until none is left.
 */
static int
rotate(struct container_log *l, struct error *e)
{
	char *from, *to;
	int i;

	if (l->fd == -1)
		return open_newest(l, e);
	for (i = CONTAINER_LOG_FILES - 1; i > 0; i--) {
		from = rotated_path(l->path, i - 1);
		to = rotated_path(l->path, i);
		(void)rename(from, to);
		free(from);
		free(to);
	}
	(void)close(l->fd);
	return open_newest(l, e);
}

/* Write one line, in a single write as long as the disk has room. */
static int
container_log_put_line(struct container_log *l, enum container_stream stream,
    const char *bytes, size_t size, bool is_whole, int64_t now_ns,
    struct error *e)
{
	char time_text[TIME_SIZE], head[HEAD_SIZE], *line;
	size_t length;
	int status = 0;

	if (l->size >= CONTAINER_LOG_BYTES && rotate(l, e) != 0)
		return -1;
	log_time_text(now_ns, time_text);
	(void)snprintf(head, sizeof(head), "%s %s %c ", time_text,
	    container_log_stream_names[stream], is_whole ? 'F' : 'P');
	length = strlen(head);
	line = xmalloc(length + size + 1);
	memcpy(line, head, length);
	memcpy(line + length, bytes, size);
	line[length + size] = '\n';
	if (file_put(l->fd, line, length + size + 1) == 0) {
		l->size += (off_t)(length + size + 1);
	} else {
		status = error_set_errno(e, "cannot write %s", l->path);
		/* Cut off a partial line, which would precede the next line. */
		(void)!ftruncate(l->fd, l->size);
	}
	free(line);
	return status;
}

int
container_log_add(struct container_log *l, enum container_stream stream,
    const char *bytes, size_t size, int64_t now_ns, struct error *e)
{
	const char *end;
	size_t length;

	while (size > 0) {
		end = memchr(bytes, '\n', size);
		length = end != NULL ? (size_t)(end - bytes) : size;
		if (container_log_put_line(l, stream, bytes, length,
			end != NULL, now_ns, e) != 0)
			return -1;
		length += end != NULL;
		bytes += length;
		size -= length;
	}
	return 0;
}

void
container_log_remove(const char *path)
{
	char *turn;
	int i;

	for (i = 0; i < CONTAINER_LOG_FILES; i++) {
		turn = rotated_path(path, i);
		(void)unlink(turn);
		free(turn);
	}
}

/* A parsed line of a log. */
struct kept_line {
	const char *time; /* its first TIME characters */
	size_t time_length;
	const char *text;
	size_t size;
	bool is_whole;
	int64_t time_ns;
};

/* Parse a line.  0: it is malformed and is skipped. */
static int
read_kept(const char *line, size_t size, struct kept_line *k)
{
	const char *space = memchr(line, ' ', size);
	const char *end = line + size, *rest, *point;
	struct tm tm = { .tm_isdst = 0 };
	char text[TIME_SIZE];
	size_t i;

	if (space == NULL || (size_t)(space - line) >= sizeof(text))
		return 0;
	k->time = line;
	k->time_length = (size_t)(space - line);
	memcpy(text, line, k->time_length);
	text[k->time_length] = '\0';
	rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	if (rest == NULL || *rest != '.')
		return 0;
	k->time_ns = 0;
	for (i = 0, point = rest + 1; i < 9; i++)
		k->time_ns = k->time_ns * 10 +
		    (*point >= '0' && *point <= '9' ? *point++ - '0' : 0);
	k->time_ns += (int64_t)timegm(&tm) * NS;
	/* " stdout F " */
	rest = memchr(space + 1, ' ', (size_t)(end - space - 1));
	if (rest == NULL || end - rest < 3 || rest[2] != ' ')
		return 0;
	k->is_whole = rest[1] == 'F';
	k->text = rest + 3;
	k->size = (size_t)(end - k->text);
	return 1;
}

/* The state of a reader of a log's files. */
struct log_reader {
	const struct container_view *view;
	struct container_place *place;
	FILE *out;
	long skip; /* number of whole lines to skip for the tail */
};

/* Print a line; 1: the limit is reached. */
static int
print_kept(struct log_reader *r, const struct kept_line *k)
{
	size_t size = k->size;

	if (!r->place->within && r->view->timestamps)
		fprintf(r->out, "%.*s ", (int)k->time_length, k->time);
	if (!r->place->within && r->view->prefix != NULL)
		(void)fputs(r->view->prefix, r->out);
	if (r->view->limit >= 0 &&
	    r->place->printed + (int64_t)size > r->view->limit)
		size = (size_t)(r->view->limit - r->place->printed);
	(void)fwrite(k->text, 1, size, r->out);
	if (k->is_whole && size == k->size)
		(void)fputc('\n', r->out);
	r->place->within = !k->is_whole;
	r->place->printed += (int64_t)k->size + k->is_whole;
	return r->view->limit >= 0 && r->place->printed > r->view->limit;
}

/* Print the lines of one file between two offsets or, with `count`, count them.
   An incomplete line, and later output, wait for the next call. */
static int
read_file(struct log_reader *r, FILE *file, off_t at, off_t end, long *count)
{
	struct kept_line k;
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	int status = 0;

	if (fseeko(file, at, SEEK_SET) != 0)
		return 0;
	while (status == 0 && (n = getline(&line, &room, file)) > 0 &&
	    line[n - 1] == '\n' && at + n <= end) {
		at += n;
		if (count == NULL)
			r->place->offset += n;
		if (!read_kept(line, (size_t)n - 1, &k) ||
		    k.time_ns < r->view->since_ns)
			continue;
		if (count != NULL)
			*count += k.is_whole;
		else if (r->skip > 0)
			r->skip -= k.is_whole;
		else
			status = print_kept(r, &k);
	}
	free(line);
	return status;
}

/* A file of a log, with its present size. */
struct log_turn {
	FILE *file;
	ino_t inode;
	off_t size;
};

/* Open the existing files of a log, oldest first; returns their number. */
static int
open_files(const char *path, struct log_turn turns[CONTAINER_LOG_FILES])
{
	struct log_turn *t = turns;
	struct stat st;
	char *name;
	int i;

	for (i = CONTAINER_LOG_FILES - 1; i >= 0; i--) {
		name = rotated_path(path, i);
		t->file = fopen(name, "re");
		free(name);
		if (t->file == NULL)
			continue;
		if (fstat(fileno(t->file), &st) != 0) {
			(void)fclose(t->file);
			continue;
		}
		/* A rotation between two looks shows a file twice. */
		if (t > turns && t[-1].inode == st.st_ino) {
			(void)fclose(t->file);
			continue;
		}
		t->inode = st.st_ino;
		t->size = st.st_size;
		t++;
	}
	return (int)(t - turns);
}

int
container_log_print(const char *path, const struct container_view *view,
    struct container_place *place, FILE *out, struct error *e)
{
	struct log_reader r = { .view = view, .place = place, .out = out };
	struct log_turn turns[CONTAINER_LOG_FILES];
	long lines = 0;
	int count, first = 0, i, status = 0;

	count = open_files(path, turns);
	for (i = 0; i < count; i++)
		if (turns[i].inode == place->inode)
			first = i;
	if (place->inode == 0 && view->tail >= 0) {
		for (i = 0; i < count; i++)
			(void)read_file(&r, turns[i].file, 0, turns[i].size,
			    &lines);
		r.skip = lines > view->tail ? lines - view->tail : 0;
	}
	for (i = first; i < count && status == 0; i++) {
		if (turns[i].inode != place->inode)
			place->offset = 0;
		place->inode = turns[i].inode;
		status = read_file(&r, turns[i].file, place->offset,
		    turns[i].size, NULL);
	}
	for (i = 0; i < count; i++)
		(void)fclose(turns[i].file);
	if (fflush(out) != 0 || ferror(out))
		return error_set_errno(e, "cannot write the log");
	return status;
}
