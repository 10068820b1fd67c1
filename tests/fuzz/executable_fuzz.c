/*
 * Entries of an executable cache: the form of one, of a key that is given, and
 * the memory of a model in one.  What is taken is written again as it was read.
 */
#include <stdlib.h>
#include <string.h>

#include "ipu/engine/engine.h"
#include "tests/fuzz/fuzz.h"

/* The tutorial's run. */
static struct model_file file;
static struct run_plan plan;

static void
fuzz_form(const uint8_t *data, size_t size)
{
	const struct executable_key key = { { 0 } };
	struct error e = { .text = "" };
	const char *content;
	char *again;
	size_t held, whole;

	if (executable_cache_read(&key, (const char *)data, size, &content,
		&held, &e) != 0) {
		require(e.text[0] != '\0');
		return;
	}
	again = executable_cache_write(&key, content, held, &whole);
	require(whole == size && memcmp(again, data, size) == 0);
	free(again);
}

static void
fuzz_memory(const uint8_t *data, size_t size)
{
	struct memory training, inference;
	const struct memory_plan p = { &plan.training, &plan.inference,
		memory_target(0), &training, &inference };
	struct error e = { .text = "" };
	char *text, *again;
	size_t length, twice;

	if (memory_cache_read(&p, (const char *)data, size, &e) != 0) {
		require(e.text[0] != '\0' && training.ipus == NULL);
		return;
	}
	text = memory_cache_write(&p, &length);
	memory_release(&training);
	memory_release(&inference);
	require(memory_cache_read(&p, text, length, &e) == 0);
	again = memory_cache_write(&p, &twice);
	require(twice == length && memcmp(again, text, length) == 0);
	memory_release(&training);
	memory_release(&inference);
	free(again);
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct engine_config base = { .local_replicas = 1,
		.total_replicas = 1 };
	const struct run_choices choices = { .script = false };

	if (plan.ipus == 0)
		require(model_file_builtin(&file, "mnist", NULL) == 0 &&
		    run_plan_init(&plan, &file, &base, &choices, NULL) == 0);
	fuzz_form(data, size);
	fuzz_memory(data, size);
	return 0;
}
