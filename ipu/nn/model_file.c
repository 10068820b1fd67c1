#include "ipu/nn/model_file.h"

#include <bsd/string.h>
#include <string.h>

const char *const strategy_words[] = {
	[STRATEGY_PIPELINED] = "pipelined",
	[STRATEGY_INTERLEAVED] = "interleaved",
	[STRATEGY_SHARDED] = "sharded",
	[STRATEGY_ONE_IPU] = "one-ipu",
	NULL
};

const char *const output_mode_words[] = {
	[OUTPUT_FINAL] = "final",
	[OUTPUT_EVERY_N] = "every-n",
	[OUTPUT_ALL] = "all",
	[OUTPUT_SUM] = "sum",
	NULL
};

const char *const auto_stage_words[] = {
	"same-as-ipu", "auto-increment", NULL
};

/* The model's block of that name, or -1. */
static int
find_block(const struct model *m, const char *name, size_t len)
{
	int	b;

	for (b = m->block_count - 1; b >= 0; b--)
		if (strlen(m->blocks[b].name) == len &&
		    strncmp(m->blocks[b].name, name, len) == 0)
			break;
	return b;
}

static int
unknown_block(const struct model *m, const char *name, size_t len,
    struct error *e)
{
	int	b;

	(void)error_set(e, "Unknown Block '%.*s' list of expected Blocks: [",
	    (int)len, name);
	for (b = 0; b < m->block_count; b++)
		(void)error_append(e, "%s'%s'", b > 0 ? ", " : "",
		    m->blocks[b].name);
	return error_append(e, "]");
}

/*
 * A stage of the blocks that the text names, up to `end`, behind the stages
 * that there are.
 */
static int
add_stage(struct model_file *f, const char *text, const char *end,
    const char *separators, struct error *e)
{
	const struct model	*m = &f->model;
	struct model_stage	*s, *before;
	int			 b, next = 0;
	size_t			 len;

	if (f->stage_count == MODEL_STAGES_MAX)
		return error_set(e, "more than %d stages", MODEL_STAGES_MAX);
	if (f->stage_count > 0) {
		before = &f->stages[f->stage_count - 1];
		next = before->first_block + before->block_count;
	}
	s = &f->stages[f->stage_count];
	*s = (struct model_stage){ .first_block = next,
	    .ipu = f->stage_count };
	for (; text <= end; text += len + 1) {
		len = strcspn(text, separators);
		b = find_block(m, text, len);
		if (b == -1)
			return unknown_block(m, text, len, e);
		if (b < next)
			return error_set(e, "%s associated with more than one "
			    "stage", m->blocks[b].name);
		if (b > next)
			return error_set(e, "block %s is of no stage before "
			    "%s: stages take the blocks in the model's order",
			    m->blocks[next].name, m->blocks[b].name);
		next++;
		s->block_count++;
	}
	f->stage_count++;
	return 0;
}

/* Whether the stages take all blocks. */
static int
check_stages(const struct model_file *f, struct error *e)
{
	const struct model_stage	*last;
	int				 next;

	last = &f->stages[f->stage_count - 1];
	next = last->first_block + last->block_count;
	if (next == f->model.block_count)
		return 0;
	return error_set(e, "block %s is of no stage",
	    f->model.blocks[next].name);
}

int
model_stages(struct model_file *f, const char *text, struct error *e)
{
	const char	*end;

	f->stage_count = 0;
	for (;; text = end + 1) {
		end = text + strcspn(text, "/");
		if (add_stage(f, text, end, ",/", e) == -1)
			return -1;
		if (*end == '\0')
			return check_stages(f, e);
	}
}
