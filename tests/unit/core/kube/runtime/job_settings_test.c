/*
 * job_settings: which directory stands for an image, and what holds
 * where the files say nothing.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/kube/runtime/runtime.h"
#include "tests/unit/tap.h"

static void
say(const char *text)
{
	char *path = xasprintf("%s/conf", tap_directory());

	if (file_replace(tap_directory(), "conf", text, strlen(text), NULL) !=
	    0)
		abort();
	(void)setenv("IPUBOX_CONFIG", path, 1);
	free(path);
}

static const struct {
	const char *image;
	const char *root;
	bool is_mapped;
} images[] = {
	{ "graphcore/pytorch:3.3.0", "/img/330", true },
	{ "graphcore/pytorch:3.2.0", "/img/any", true },
	{ "graphcore/pytorch", "/img/any", true },
	{ "graphcore/pytorch@sha256:0123", "/img/any", true },
	{ "graphcore/pytorch-jupyter:3.3.0", "", false },
	{ "graphcore/tensorflow:2", "", true },
	{ "registry:5000/mine", "/img/mine", true },
	{ "registry:5000/mine:latest", "/img/mine", true },
	{ "registry", "", false },
	{ "twice", "/img/last", true },
	{ "", "", false },
	{ NULL, "", false },
};

static void
test_images(void)
{
	struct error e;
	char root[PATH_MAX];
	bool is_mapped;
	size_t i;

	say("[images]\n"
	    "image = graphcore/pytorch:3.3.0 /img/330\n"
	    "image = graphcore/pytorch \t /img/any\n"
	    "image = graphcore/tensorflow host\n"
	    "image = registry:5000/mine /img/mine\n"
	    "image = twice /img/first\n"
	    "image = twice /img/last\n");
	for (i = 0; i < ARRAY_SIZE(images); i++) {
		is_int(job_settings_image(images[i].image, root, &is_mapped,
			   &e),
		    0, "an image is looked for");
		is_str(root, images[i].root, "its directory");
		is_int(is_mapped, images[i].is_mapped,
		    "whether the files name it");
	}
}

static void
test_others(void)
{
	struct error e = { .text = "" };
	char root[PATH_MAX];
	bool is_mapped;
	int64_t ms;

	say("[jobs]\nhost-paths = /srv/data\nrestart-delay = 3\n");
	is_int(job_settings_host_root(root, &e), 0, "the root of hostPaths");
	is_str(root, "/srv/data", "as the file says");
	is_int(job_settings_restart_delay(&ms, &e), 0, "the delay");
	is_int(ms, 3000, "as the file says");
	say("");
	is_int(job_settings_host_root(root, &e), 0, "nothing is said");
	is_str(root, "", "there is no root");
	is_int(job_settings_restart_delay(&ms, &e), 0, "nor a delay");
	is_int(ms, 10000, "it is ten seconds");
	say("[jobs]\nhost-path = /srv\n");
	is_int(job_settings_host_root(root, &e), -1, "a mistake in the file");
	is_int(job_settings_restart_delay(&ms, &e), -1, "is refused");
	is_int(job_settings_image("x", root, &is_mapped, &e), -1,
	    "by all of them");
	ok(strstr(e.text, "did you mean host-paths?") != NULL,
	    "with what was meant");
}

int
main(void)
{
	test_images();
	test_others();
	return tap_done();
}
