/*
 * A damaged registry.  The input is a list of changes to a sound one, the
 * mirror and the slots behind each other: an offset (4 bytes, little endian,
 * wrapped to the size), a length (1 byte, 0 cuts the file there) and that many
 * bytes.  The mirror's checksum is made good behind them, so that the checks
 * behind it are reached.  Reading it is refused with a reason, or gives indices
 * that stay within the pod.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/files/file.h"
#include "core/pod/document/document.h"
#include "core/state/mirror_copy.h"
#include "core/state/state.h"
#include "tests/fuzz/fuzz.h"

enum { FILE_MAX = 64 << 20 };

/* One behind the other, and where the second one begins. */
static char *sound;
static size_t sound_size, mirror_size;

static void
read_sound(const char *path)
{
	char slots_path[160], *mirror, *slots;
	size_t slots_size;

	mirror = file_read(path, FILE_MAX, &mirror_size, NULL);
	(void)snprintf(slots_path, sizeof(slots_path), "%s.slots", path);
	slots = file_read(slots_path, FILE_MAX, &slots_size, NULL);
	require(mirror != NULL && slots != NULL);
	sound_size = mirror_size + slots_size;
	sound = malloc(sound_size);
	require(sound != NULL);
	memcpy(sound, mirror, mirror_size);
	memcpy(sound + mirror_size, slots, slots_size);
	free(mirror);
	free(slots);
}

/* A pod of 4 IPUs with one partition. */
static void
make_sound(void)
{
	struct state_paths paths;
	struct partition p;
	struct state s;
	struct pod pod;
	struct error e;
	char path[128];

	(void)snprintf(path, sizeof(path), "%s/state", fuzz_directory());
	(void)setenv("IPUBOX_STATE_DIR", path, 1);
	(void)snprintf(path, sizeof(path), "%s/sound", fuzz_directory());
	(void)setenv("IPUBOX_REGISTRY", path, 1);
	memset(&p, 0, sizeof(p));
	(void)snprintf(p.name, sizeof(p.name), "p");
	p.placement.ild_count = 1;
	p.placement.per_ild = 2;
	p.num_gcds = p.num_replicas = 1;
	pod_init(&pod);
	require(pod_file_parse(&pod, "pod4", pod_embedded("pod4"), &e) == 0);
	require(paths_find(&paths, &e) == 0);
	require(new_pod_init(&paths, &pod, &(struct new_pod){ .force = false },
		    &e) == 0);
	require(state_open(&s, &e) == 0 && state_lock(&s, &e) == 0);
	require(state_add_partition(&s, &p, &e) == 0);
	state_unlock(&s);
	state_close(&s);
	pod_release(&pod);
	read_sound(path);
}

/* What is left of both files. */
struct ends {
	size_t mirror;
	size_t slots;
};

static void
change(char *file, struct ends *left, const uint8_t *data, size_t size)
{
	size_t offset, length;

	while (size > 5) {
		offset = (data[0] | (size_t)data[1] << 8 |
			     (size_t)data[2] << 16 | (size_t)data[3] << 24) %
		    sound_size;
		length = data[4];
		data += 5;
		size -= 5;
		if (length == 0 && offset < mirror_size)
			left->mirror = offset;
		else if (length == 0)
			left->slots = offset - mirror_size;
		if (length > size)
			length = size;
		if (length > sound_size - offset)
			length = sound_size - offset;
		memcpy(file + offset, data, length);
		data += length;
		size -= length;
	}
}

/* As a neighbour would who knows how the mirror is made. */
static void
fix_checksum(char *file)
{
	const size_t at = offsetof(struct registry_header, checksum);
	struct registry_places places;
	struct mirror m;

	/* Of another shape it is refused without a look at the checksum. */
	memcpy(&m.header, file, sizeof(m.header));
	if (memcmp(file, sound, offsetof(struct registry_header, id)) != 0 ||
	    m.header.agent_count > m.header.agent_capacity ||
	    m.header.cluster_count > m.header.cluster_capacity ||
	    m.header.allocation_count > m.header.allocation_capacity ||
	    m.header.partition_high > m.header.partition_capacity)
		return;
	registry_layout_locate(&m.header, &places);
	m.agents = (void *)(file + places.agents);
	m.clusters = (void *)(file + places.clusters);
	m.allocations = (void *)(file + places.allocations);
	m.partitions = (void *)(file + places.partitions);
	m.header.pod_name[sizeof(m.header.pod_name) - 1] = '\0';
	m.header.damage[sizeof(m.header.damage) - 1] = '\0';
	if (m.header.damaged > INT32_MAX)
		m.header.damaged = INT32_MAX;
	m.header.checksum = mirror_copy_checksum(&m.header,
	    mirror_copy_sum(&m));
	memcpy(file + at, &m.header.checksum, sizeof(m.header.checksum));
}

static void
check_slots(const struct registry *r)
{
	struct ipu_slot slot;
	int i;

	for (i = -1; i < r->slots.count + 1 && i < 64; i++) {
		slots_read(&r->slots, i, &slot);
		require(strnlen(slot.command, SLOT_COMMAND_SIZE) <
		    SLOT_COMMAND_SIZE);
		(void)registry_holder(r, i, &slot);
		(void)registry_faults(r, i);
	}
}

static void
check_snapshot(const struct registry *r)
{
	struct snapshot s;
	struct error e = { .text = "" };
	int i, ipus;

	if (snapshot_take(r, &s, &e) != 0) {
		require(e.text[0] != '\0');
		return;
	}
	ipus = pod_ipu_count(&s.pod);
	require(ipus == registry_ipu_count(r));
	for (i = 0; i < ipus; i++)
		require(s.owner[i] >= -1 && s.owner[i] < s.partition_count);
	for (i = 0; i < s.partition_count; i++) {
		require(strnlen(s.partitions[i].name, NAME_SIZE) < NAME_SIZE);
		require(snapshot_find(&s, s.partitions[i].name) >= 0);
	}
	snapshot_release(&s);
}

static void
write_slots(const char *path, const char *data, size_t size)
{
	char name[160];
	FILE *f;

	(void)snprintf(name, sizeof(name), "%s.slots", path);
	f = fopen(name, "w");
	require(f != NULL && fwrite(data, 1, size, f) == size &&
	    fclose(f) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct state_paths at;
	struct registry r;
	struct error e = { .text = "" };
	struct ends left;
	char *file;
	const char *path;

	if (sound == NULL)
		make_sound();
	file = malloc(sound_size);
	memcpy(file, sound, sound_size);
	left = (struct ends){ mirror_size, sound_size - mirror_size };
	change(file, &left, data, size);
	fix_checksum(file);
	path = fuzz_file((uint8_t *)file, left.mirror);
	write_slots(path, file + mirror_size, left.slots);
	require(paths_find(&at, &e) == 0);
	(void)snprintf(at.registry, sizeof(at.registry), "%s", path);
	free(file);
	if (registry_open(&r, &at, REGISTRY_READ, &e) == 0) {
		r.is_private = true; /* nobody is to repair it */
		check_slots(&r);
		registry_freeze(&r, 0);
		check_slots(&r);
		check_snapshot(&r);
		registry_close(&r);
	} else {
		require(e.text[0] != '\0');
	}
	return 0;
}
