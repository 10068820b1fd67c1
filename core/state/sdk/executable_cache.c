/*
 * Executable caches: first the format of an entry, then the file and the lock;
 * executable_cache_get() combines them.
 */
#include "core/state/sdk/sdk.h"

#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/bits.h"
#include "core/base/clock.h"
#include "core/base/embedded.h"
#include "core/base/fault.h"
#include "core/base/files/file.h"
#include "core/base/text.h"
#include "core/job/job.h"

enum { EXECUTABLE_CACHE_BYTES_MAX = 1 << 28 }; /* limit of an entry's content */

_Static_assert((int)EXECUTABLE_CACHE_KEY_BYTES == (int)SHA256_DIGEST_LENGTH,
    "a key is a SHA-256");

enum {
	HEX_BYTES = 2 * EXECUTABLE_CACHE_KEY_BYTES,
	NAME_KEY_BYTES = EXECUTABLE_CACHE_KEY_BYTES / 2,
	PAUSE_MS_MAX = 20
};

/* ---- the format ---- */

/*
 * An entry is a head, the content, and a SHA-256 of both:
 *
 *	ipubox executable 1
 *	key 5f70bf18a0...
 *	bytes 6213
 *	...
 *	sha256 9f86d081...
 */
static const char head_form[] = "ipubox executable 1\nkey %s\n"
				"bytes %zu\n";
static const char tail_form[] = "sha256 %s\n";

enum {
	HEAD_BYTES_MAX = sizeof(head_form) + HEX_BYTES + 20,
	TAIL_BYTES = sizeof("sha256 \n") - 1 + HEX_BYTES
};

static void
executable_cache_digest(const char *bytes, size_t size, char *text)
{
	uint8_t digest[SHA256_DIGEST_LENGTH];
	SHA2_CTX c;

	SHA256Init(&c);
	SHA256Update(&c, (const uint8_t *)bytes, size);
	SHA256Final(digest, &c);
	hex_text(digest, sizeof(digest), text);
}

/* Returns the length. */
static size_t
executable_cache_print_head(const struct executable_key *key, size_t size,
    char head[HEAD_BYTES_MAX])
{
	char hex[HEX_BYTES + 1];

	hex_text(key->bytes, sizeof(key->bytes), hex);
	return (size_t)snprintf(head, HEAD_BYTES_MAX, head_form, hex, size);
}

char *
executable_cache_write(const struct executable_key *key, const char *content,
    size_t size, size_t *whole)
{
	char head[HEAD_BYTES_MAX], hex[HEX_BYTES + 1];
	size_t begin = executable_cache_print_head(key, size, head);
	char *text = xmalloc(begin + size + TAIL_BYTES + 1);

	memcpy(text, head, begin);
	memcpy(text + begin, content, size);
	executable_cache_digest(text, begin + size, hex);
	(void)snprintf(text + begin + size, TAIL_BYTES + 1, tail_form, hex);
	*whole = begin + size + TAIL_BYTES;
	return text;
}

/* Return the length up to the end of the third line; 0: not valid. */
static size_t
head_length(const char *text, size_t whole)
{
	size_t i;
	int lines = 0;

	for (i = 0; i < whole && i < HEAD_BYTES_MAX; i++)
		if (text[i] == '\n' && ++lines == 3)
			return i + 1;
	return 0;
}

/* An entry of that key and size has exactly one head and one tail.  They are
   generated and compared, so nothing in the file is trusted. */
int
executable_cache_read(const struct executable_key *key, const char *text,
    size_t whole, const char **content, size_t *size, struct error *e)
{
	const size_t begin = head_length(text, whole);
	char head[HEAD_BYTES_MAX], tail[TAIL_BYTES + 1];
	char hex[HEX_BYTES + 1];

	if (begin == 0 || whole < begin + TAIL_BYTES)
		return error_set_code(e, ERROR_DAMAGED,
		    "it is not an entry of a cache");
	*size = whole - begin - TAIL_BYTES;
	*content = text + begin;
	if (executable_cache_print_head(key, *size, head) != begin ||
	    memcmp(text, head, begin) != 0)
		return error_set_code(e, ERROR_DAMAGED,
		    "it is cut short, or it is the entry of something else");
	executable_cache_digest(text, begin + *size, hex);
	(void)snprintf(tail, sizeof(tail), tail_form, hex);
	if (memcmp(text + begin + *size, tail, TAIL_BYTES) != 0)
		return error_set_code(e, ERROR_DAMAGED,
		    "its checksum does not match its contents");
	return 0;
}

const char *
executable_cache_directory(void)
{
	static const char *const variables[] = { "POPTORCH_CACHE_DIR",
		JOB_CACHE_VARIABLE };
	const char *value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(variables); i++) {
		value = getenv(variables[i]);
		if (value != NULL && *value != '\0')
			return value;
	}
	return NULL;
}

struct executable_key
executable_cache_key(const char *sources, const char *kind, const char *bytes,
    size_t size)
{
	struct executable_key key;
	SHA2_CTX c;
	char head[256];
	const int n = snprintf(head, sizeof(head), "%s %u %s\n",
	    *sources != '\0' ? sources : embedded_sources, (unsigned)geteuid(),
	    kind);

	SHA256Init(&c);
	SHA256Update(&c, (const uint8_t *)head, (size_t)n);
	SHA256Update(&c, (const uint8_t *)bytes, size);
	SHA256Final(key.bytes, &c);
	return key;
}

/* ---- the file ---- */

/* A use of the cache in progress. */
struct executable_entry {
	const struct executable_cache *cache;
	const struct executable_key *key;
	const struct executable_maker *maker;
	struct executable_use *use;
	struct directory directory;
};

/* Accept only a file that this user alone could have written. */
static int
executable_cache_check_file(const struct executable_entry *x, int fd,
    struct error *e)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return error_set_errno(e, "it cannot be examined");
	if (!S_ISREG(st.st_mode))
		return error_set_code(e, ERROR_UNSAFE, "it is not a file");
	if (st.st_uid != geteuid() || (st.st_mode & 022) != 0)
		return error_set_code(e, ERROR_UNSAFE,
		    "other users may write it");
	return file_check_single(fd, x->directory.path, x->use->name, e);
}

/* -1: unusable; ERROR_NOT_FOUND: missing. */
static int
entry_load(const struct executable_entry *x, struct error *e)
{
	const struct executable_maker *m = x->maker;
	const char *content;
	char *text = NULL;
	size_t whole, size;
	int status = -1;
	int fd = file_open(&x->directory, x->use->name, O_RDONLY | O_NONBLOCK,
	    e);

	if (fd == -1)
		return e->code != ERROR_UNSAFE ?
		    -1 :
		    error_set_code(e, ERROR_UNSAFE, "it is a symbolic link");
	if (executable_cache_check_file(x, fd, e) == 0)
		text = stream_read(fd, x->use->name,
		    EXECUTABLE_CACHE_BYTES_MAX + HEAD_BYTES_MAX + TAIL_BYTES,
		    &whole, e);
	if (text != NULL)
		status = executable_cache_read(x->key, text, whole, &content,
		    &size, e);
	if (status == 0)
		status = m->take(m->context, content, size, e);
	free(text);
	(void)close(fd);
	return status;
}

/* Remove what killed processes left of this entry.  Only the lock's holder
   writes it, so none of these files is in use. */
static void
executable_cache_remove_left(const struct executable_entry *x)
{
	const size_t length = strlen(x->use->name);
	DIR *dir = directory_names_open(&x->directory, NULL);
	struct dirent *entry;

	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL)
		if (entry->d_name[0] == '.' &&
		    strncmp(entry->d_name + 1, x->use->name, length) == 0)
			(void)unlinkat(x->directory.fd, entry->d_name, 0);
	(void)closedir(dir);
}

static int
entry_keep(const struct executable_entry *x, const char *content, size_t size,
    struct error *e)
{
	char *text = NULL, *temporary;
	size_t whole;
	int status = -1;

	if (size > EXECUTABLE_CACHE_BYTES_MAX)
		return error_set(e, "it has %zu bytes, more than %d", size,
		    EXECUTABLE_CACHE_BYTES_MAX);
	executable_cache_remove_left(x);
	text = executable_cache_write(x->key, content, size, &whole);
	temporary = file_stage(&x->directory, x->use->name, 0600, text, whole,
	    e);
	if (temporary != NULL)
		status = file_show(&x->directory, temporary, x->use->name, e);
	if (status == 0)
		status = directory_sync(&x->directory, e);
	free(temporary);
	free(text);
	return status;
}

/* ---- the lock ---- */

/* Open the user's lock file, on which no other user can hold locks; each key
   has a byte.  -1: failed. */
static int
executable_cache_lock_open(const struct directory *d, struct error *e)
{
	char name[32];
	struct stat st;
	int fd;

	(void)snprintf(name, sizeof(name), ".%u.lock", (unsigned)geteuid());
	fd = file_open(d, name, O_RDWR | O_CREAT | O_NONBLOCK, e);
	if (fd == -1)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_uid == geteuid())
		return fd;
	(void)close(fd);
	return error_set_code(e, ERROR_UNSAFE, "%s is not a file of this user",
	    name);
}

/* Polls, because a wait in the kernel would have no limit. */
static int
executable_cache_lock_take(const struct executable_entry *x, struct error *e)
{
	const int64_t end = clock_monotonic_ms() + x->cache->wait_ms;
	struct flock l = { .l_type = F_WRLCK,
		.l_whence = SEEK_SET,
		.l_start = (off_t)(bits_get_le64(x->key->bytes) >> 2),
		.l_len = 1 };
	int64_t pause_ms = 1;
	int fd = executable_cache_lock_open(&x->directory, e);

	while (fd != -1 && fcntl(fd, F_OFD_SETLK, &l) != 0) {
		if (errno != EAGAIN && errno != EACCES && errno != EINTR)
			(void)error_set_errno(e, "it cannot be locked");
		else if (clock_monotonic_ms() >= end)
			(void)error_set_code(e, ERROR_TIMED_OUT,
			    "another process has been compiling it for more "
			    "than %lld seconds",
			    (long long)x->cache->wait_ms / 1000);
		else {
			clock_sleep_ms(pause_ms);
			pause_ms = pause_ms < PAUSE_MS_MAX ?
			    2 * pause_ms :
			    PAUSE_MS_MAX;
			continue;
		}
		(void)close(fd);
		fd = -1;
	}
	(void)FAULT_POINT("locked");
	return fd;
}

/* ---- using the cache ---- */

/* Only the first trouble is reported. */
static void
keep_trouble(const struct executable_entry *x, const char *what,
    const struct error *reason)
{
	if (x->use->trouble.text[0] == '\0')
		(void)error_set(&x->use->trouble, "%s/%s %s: %s",
		    x->cache->directory, x->use->name, what, reason->text);
}

/* 0: loaded.  An existing but unusable entry is trouble. */
static int
try_load(const struct executable_entry *x)
{
	struct error reason;

	if (entry_load(x, &reason) == 0) {
		x->use->loaded = x->use->kept = true;
		return 0;
	}
	if (reason.code != ERROR_NOT_FOUND)
		keep_trouble(x, "is compiled again", &reason);
	return -1;
}

/* Another process may have made or repaired it meanwhile. */
static int
make_under_lock(const struct executable_entry *x, struct error *e)
{
	const struct executable_maker *m = x->maker;
	struct error reason;
	char *content;
	size_t size;
	int lock = executable_cache_lock_take(x, &reason);

	if (lock == -1)
		keep_trouble(x, "is not kept", &reason);
	else if (try_load(x) == 0) {
		x->use->trouble.text[0] = '\0';
		(void)close(lock);
		return 0;
	}
	content = m->make(m->context, &size, e);
	if (content != NULL && lock != -1) {
		x->use->kept = entry_keep(x, content, size, &reason) == 0;
		if (!x->use->kept)
			keep_trouble(x, "is not kept", &reason);
	}
	if (lock != -1)
		(void)close(lock);
	free(content);
	return content == NULL ? -1 : 0;
}

/* Follow the user's path, but no link of another user. */
static int
open_cache(struct executable_entry *x, struct error *e)
{
	char path[PATH_MAX];

	if (directory_resolve(x->cache->directory, path, sizeof(path), e) != 0)
		return -1;
	return directory_make(&x->directory, path, e);
}

int
executable_cache_get(const struct executable_cache *cache,
    const struct executable_key *key, const struct executable_maker *maker,
    struct executable_use *use, struct error *e)
{
	struct executable_entry x = { cache, key, maker, use, DIRECTORY_NONE };
	struct error reason;
	char hex[2 * NAME_KEY_BYTES + 1];
	char *content = NULL;
	size_t size;
	int status = 0;

	hex_text(key->bytes, NAME_KEY_BYTES, hex);
	*use = (struct executable_use){ .loaded = false };
	(void)snprintf(use->name, sizeof(use->name), "%s.popef", hex);
	if (open_cache(&x, &reason) != 0) {
		keep_trouble(&x, "is not kept", &reason);
		content = maker->make(maker->context, &size, e);
		status = content == NULL ? -1 : 0;
		free(content);
	} else if (try_load(&x) != 0) {
		status = make_under_lock(&x, e);
	}
	directory_close(&x.directory);
	return status;
}
