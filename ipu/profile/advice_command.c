/*
 * The options in which two model files differ, and the command line with them.
 */
#include "ipu/profile/advice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/text.h"

enum { CHANGES_MAX = 16 };

/* An option to set; without a value, a flag. */
struct option_change {
	const char *name;
	char *value;
};

struct option_changes {
	int count;
	struct option_change list[CHANGES_MAX];
};

static void
change(struct option_changes *c, const char *name, char *value)
{
	c->list[c->count++] = (struct option_change){ name, value };
}

static void
change_count(struct option_changes *c, const char *name, int before, int after)
{
	if (after != before)
		change(c, name, xasprintf("%d", after));
}

static void
change_switch(struct option_changes *c, const char *name, bool before,
    bool after)
{
	if (after != before)
		change(c, name, after ? NULL : xstrdup("no"));
}

/* Return text for stages_parse(): "B1,B2/B3,B4@0".  The caller frees it. */
static char *
stages_text(const struct model_file *f)
{
	const struct stages *s = &f->stages;
	struct memstream m;
	int stage, i, block = 0;

	(void)memstream_open(&m);
	for (stage = 0; stage < s->count; stage++) {
		for (i = 0; i < s->blocks[stage]; i++)
			fprintf(m.file, "%s%s",
			    i > 0	  ? "," :
				stage > 0 ? "/" :
					    "",
			    f->model.blocks[block++].name);
		if (s->ipu[stage] != stage)
			fprintf(m.file, "@%d", s->ipu[stage]);
	}
	return memstream_close(&m, NULL);
}

static bool
is_same_cut(const struct stages *a, const struct stages *b)
{
	const size_t size = (size_t)a->count * sizeof(a->blocks[0]);

	return a->count == b->count &&
	    memcmp(a->blocks, b->blocks, size) == 0 &&
	    memcmp(a->ipu, b->ipu, size) == 0;
}

static void
compare(struct option_changes *c, const struct trial_run *r,
    const struct model_file *after, bool auto_round)
{
	const struct model_file *before = r->file;

	if (after->strategy != before->strategy)
		change(c, "strategy",
		    xstrdup(model_file_strategy_words[after->strategy]));
	if (!is_same_cut(&before->stages, &after->stages))
		change(c, "stages", stages_text(after));
	if (auto_round && !r->choices.auto_round)
		change(c, "auto-round", NULL);
	change_count(c, "batch-size", before->batch_size, after->batch_size);
	change_count(c, "gradient-accumulation", before->gradient_accumulation,
	    after->gradient_accumulation);
	change_count(c, "device-iterations", before->device_iterations,
	    after->device_iterations);
	change_count(c, "test-batch-size", before->test_batch_size,
	    after->test_batch_size);
	change_count(c, "test-device-iterations",
	    before->test_device_iterations, after->test_device_iterations);
	change_switch(c, "recompute", before->recompute, after->recompute);
	change_switch(c, "offload-optimiser", before->offload_optimiser,
	    after->offload_optimiser);
}

/* Whether the option changes.  Two options make stages, and the later one would
   win. */
static bool
is_changed(const struct option_changes *c, const char *name)
{
	int i;

	for (i = 0; i < c->count; i++)
		if (strcmp(c->list[i].name, name) == 0 ||
		    (strcmp(c->list[i].name, "stages") == 0 &&
			strcmp(name, "auto-stage") == 0))
			return true;
	return false;
}

static void
add_option(struct strvec *words, const struct option_row *row,
    const char *value)
{
	if (value != NULL && options_is_optional(row))
		strvec_addf(words, "--%s=%s", row->name, value);
	else
		strvec_addf(words, "--%s", row->name);
	if (value != NULL && !options_is_optional(row))
		strvec_add(words, value);
}

static const struct option_row *
row_of(const struct trial_run *r, int key, const char *name)
{
	const struct option_row *row = r->rows;

	while (row->name != NULL &&
	    (name == NULL ? row->key != key : strcmp(row->name, name) != 0))
		row++;
	return row;
}

/* Append the command's own options except the changed ones.  The parser moves
   words, so it gets a separate list. */
static void
add_kept_options(struct strvec *words, const struct trial_run *r,
    const struct option_changes *c)
{
	const size_t size = ((size_t)r->argc + 1) * sizeof(*r->argv);
	char **own = xmalloc(size);
	struct strvec options;
	struct option_parser parser;
	struct error ignored;
	int key, i;

	strvec_init(&options);
	memcpy(own, r->argv, size);
	options_init(&parser, r->rows, r->argc, own, false);
	while ((key = options_next(&parser, &ignored)) >= 0) {
		const struct option_row *row = row_of(r, key, NULL);

		if (row->name != NULL && !is_changed(c, row->name))
			add_option(&options, row, parser.argument);
	}
	for (i = parser.operand; key == OPTIONS_END && i < r->argc; i++)
		strvec_add(words, own[i]);
	strvec_add_all(words, options.items);
	strvec_release(&options);
	free(own);
}

void
advice_command_changes(struct strvec *words, const struct trial_run *r,
    const struct model_file *changed, bool auto_round)
{
	struct option_changes c = { 0 };
	int i;

	compare(&c, r, changed, auto_round);
	for (i = 0; i < c.count; i++) {
		add_option(words, row_of(r, -1, c.list[i].name),
		    c.list[i].value);
		free(c.list[i].value);
	}
}

void
advice_command(struct strvec *words, const struct trial_run *r,
    const struct model_file *changed, bool auto_round)
{
	struct option_changes c = { 0 };
	int i;

	compare(&c, r, changed, auto_round);
	strvec_add(words, r->argv[0]);
	add_kept_options(words, r, &c);
	for (i = 0; i < c.count; i++)
		free(c.list[i].value);
	advice_command_changes(words, r, changed, auto_round);
}
