/*
 * A damaged registry.  The input is a list of changes to a sound one:
 * an offset (4 bytes, little endian, wrapped to the file's size), a length
 * (1 byte, 0 cuts the file there) and that many bytes.  Reading it is refused
 * with a reason, or gives indices that stay within the pod.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/file.h"
#include "core/pod/document/pod_file.h"
#include "core/state/new_pod.h"
#include "core/state/paths.h"
#include "core/state/registry.h"
#include "core/state/state.h"
#include "tests/fuzz/fuzz.h"

enum { FILE_MAX = 64 << 20 };

static char	*sound;
static size_t	 sound_size;

/* A pod of 4 IPUs with one partition. */
static void
make_sound(void)
{
	struct state_paths	paths;
	struct partition	p;
	struct state		s;
	struct pod		pod;
	struct error		e;
	char			path[128];

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
	require(new_pod_init(&paths, &pod,
	    &(struct new_pod){ .force = false }, &e) == 0);
	require(state_open(&s, &e) == 0 && state_lock(&s, &e) == 0);
	require(state_add_partition(&s, &p, &e) == 0);
	state_unlock(&s);
	state_close(&s);
	pod_release(&pod);
	sound = file_read(path, FILE_MAX, &sound_size, &e);
	require(sound != NULL);
}

static size_t
change(char *file, const uint8_t *data, size_t size)
{
	size_t	file_size = sound_size, offset, length;

	while (size > 5) {
		offset = (data[0] | (size_t)data[1] << 8 |
		    (size_t)data[2] << 16 | (size_t)data[3] << 24) %
		    sound_size;
		length = data[4];
		data += 5;
		size -= 5;
		if (length == 0)
			file_size = offset;
		if (length > size)
			length = size;
		if (length > sound_size - offset)
			length = sound_size - offset;
		memcpy(file + offset, data, length);
		data += length;
		size -= length;
	}
	return file_size;
}

static void
check_snapshot(const struct registry *r)
{
	struct snapshot	s;
	struct error	e = { .text = "" };
	struct ipu_slot	slot;
	int		i, ipus = registry_ipu_count(r);

	for (i = 0; i < ipus; i++) {
		require(registry_slot(r, i) != NULL);
		(void)registry_holder(r, i, &slot);
	}
	if (snapshot_take(r, &s, &e) != 0) {
		require(e.text[0] != '\0');
		return;
	}
	/* A mirror left in mid-change was repaired meanwhile. */
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

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct state_paths	at;
	struct registry		r;
	struct error		e = { .text = "" };
	char			*file;
	const char		*path;

	if (sound == NULL)
		make_sound();
	file = malloc(sound_size);
	memcpy(file, sound, sound_size);
	path = fuzz_file((uint8_t *)file, change(file, data, size));
	require(paths_find(&at, &e) == 0);
	(void)snprintf(at.registry, sizeof(at.registry), "%s", path);
	free(file);
	if (registry_open(&r, &at, false, &e) == 0) {
		check_snapshot(&r);
		registry_close(&r);
	} else {
		require(e.text[0] != '\0');
	}
	return 0;
}
