/*
 * Identities of partitions: given once, kept, and given to the partitions of
 * an older ipubox, whose files have none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/files/file.h"
#include "core/pod/pod.h"
#include "core/state/state.h"
#include "tests/unit/state_util.h"
#include "tests/unit/tap.h"

static void
test_numbers(void)
{
	struct partition p[3];
	uint8_t id[PARTITION_ID_SIZE];

	memset(p, 0, sizeof(p));
	memset(id, 0, sizeof(id));
	id[PARTITION_ID_SIZE - 6] = 0xff;
	ok(identity_number(id) == 0, "bit 40 is not of the number");
	id[PARTITION_ID_SIZE - 5] = 0x80;
	id[PARTITION_ID_SIZE - 1] = 1;
	ok(identity_number(id) == ((uint64_t)0x80 << 32 | 1),
	    "the low 40 bits are");
	ok(!identity_is_set(p[0].id), "zeros are none");
	memcpy(p[1].id, id, sizeof(id));
	identity_complete(p, 3);
	ok(identity_is_set(p[0].id) && identity_is_set(p[2].id),
	    "who had none has one");
	ok(memcmp(p[1].id, id, sizeof(id)) == 0, "who had one keeps it");
	ok(identity_number(p[0].id) != identity_number(p[2].id), "they differ");
	ok(!identity_is_same(&p[0], &p[2]), "so they are not the same");
	ok(identity_is_same(&p[1], &p[1]), "each is itself");
}

/* The partition as a new reader sees it. */
static struct partition
look(const char *name)
{
	struct partition p;
	struct registry r;
	struct snapshot s;
	struct error e;

	must(state_open_reader(&r, &e), &e);
	must(snapshot_take(&r, &s, &e), &e);
	p = s.partitions[snapshot_find(&s, name)];
	snapshot_release(&s);
	registry_close(&r);
	return p;
}

/* The line "id = ..." goes from the file of `name`. */
static void
make_old(const char *name)
{
	char directory[512], file[NAME_SIZE + 8], *text, *line, *end;
	struct error e;
	size_t size;

	(void)snprintf(directory, sizeof(directory), "%s/partitions/%s.ini",
	    test_paths.directory, name);
	text = file_read(directory, 4096, &size, &e);
	must(text == NULL ? -1 : 0, &e);
	line = strstr(text, "\nid = ");
	must(line == NULL ? error_set(&e, "it has no id") : 0, &e);
	end = strchr(line + 1, '\n');
	memmove(line, end, strlen(end) + 1);
	*strrchr(directory, '/') = '\0';
	(void)snprintf(file, sizeof(file), "%s.ini", name);
	must(file_replace(directory, file, text, strlen(text), &e), &e);
	free(text);
}

static void
test_older(void)
{
	struct partition older, other, updated;
	struct state s;
	struct error e;

	make_state("older");
	add_partition("other", 0, 4);
	add_partition("p", 4, 4);
	make_old("p");
	other = look("other");
	must(state_open(&s, &e), &e);
	older = look("p");
	ok(!identity_is_set(older.id), "one of an older ipubox can be read");
	must(state_lock(&s, &e), &e);
	older.resets = 1;
	is_int(state_update_partition(&s, &older, &e), 0, "written again");
	updated = look("p");
	ok(identity_is_set(updated.id), "it has an identity");
	is_int(state_update_partition(&s, &older, &e), 0, "and again");
	state_close(&s);
	(void)remove(test_paths.registry);
	older = look("p");
	ok(identity_is_same(&older, &updated), "which it keeps in its file");
	older = look("other");
	ok(identity_is_same(&older, &other), "as the other one does");
}

/* A change of the pod writes all files. */
static void
test_replaced(void)
{
	struct inventory in;
	struct partition p, q, r;
	struct snapshot snap;
	struct state s;
	struct error e;

	make_state("replaced");
	add_partition("p", 0, 4);
	add_partition("q", 4, 4);
	make_old("p");
	q = look("q");
	must(state_open(&s, &e), &e);
	must(state_lock(&s, &e), &e);
	must(snapshot_take(&s.registry, &snap, &e), &e);
	in = (struct inventory){ &snap.pod, snap.partitions,
		snap.partition_count };
	is_int(new_pod_replace(&s, &in, &e), 0, "another pod");
	state_close(&s);
	snapshot_release(&snap);
	p = look("p");
	ok(identity_is_set(p.id), "the older one has got an identity");
	r = look("q");
	ok(identity_is_same(&q, &r), "the other one has kept its own");
}

int
main(void)
{
	test_numbers();
	test_older();
	test_replaced();
	return state_util_done();
}
