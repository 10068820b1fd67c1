/* POPLAR_ENGINE_OPTIONS: refused with a reason, or a choice that agrees. */
#include "core/job/job.h"

#include <string.h>

#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct popdist instance = { .is_set = true,
		.uniform = true,
		.num_instances = 4,
		.instance_index = 3 };
	struct error e = { .text = "" };
	struct engine_settings s;
	struct engine_options o;
	const char *directory;
	char *text = fuzz_text(data, size);

	if (engine_options_parse_settings(&s, text, &e) != 0) {
		require(strncmp(e.text, "POPLAR_ENGINE_OPTIONS: ", 23) == 0);
		require(!s.profiling && s.directory[0] == '\0');
		free(text);
		return 0;
	}
	require(s.directory[0] == '\0' || engine_options_set_directory(text) ||
	    strchr(text, '\\') != NULL);
	require(engine_options_resolve(&o, &s, NULL, NULL, &instance, &e) == 0);
	directory = engine_options_directory(&o);
	require(directory == NULL || s.profiling);
	require(!o.overridden);
	require(engine_options_resolve(&o, &s, "asked", "parent", &instance,
		    &e) == 0);
	directory = engine_options_directory(&o);
	require(directory == NULL ||
	    strcmp(directory,
		s.directory[0] != '\0' ? s.directory : "parent/3") == 0);
	free(text);
	return 0;
}
