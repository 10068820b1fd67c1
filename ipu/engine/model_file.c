/*
 * Reads a model's INI file.  The rows of the table fill one struct reading;
 * model_file_commit() checks what depends on the whole file.
 */
#include "ipu/engine/model_file.h"

#include <bsd/string.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/embedded.h"
#include "core/base/files/file.h"
#include "core/base/formats/ini.h"
#include "core/base/parse.h"
#include "ipu/engine/optimiser_file.h"
#include "ipu/nn/nn.h"

enum {
	FILE_BYTES_MAX = 1 << 20,
	CLASSES_MAX = 256, /* a label is a byte */
	IPU_MAX = 63
};

const char *const model_file_strategy_words[] = {
	[STRATEGY_PIPELINED] = "pipelined",
	[STRATEGY_INTERLEAVED] = "interleaved",
	[STRATEGY_SHARDED] = "sharded",
	[STRATEGY_ONE_IPU] = "one-ipu",
	NULL,
};

const char *const model_file_output_mode_words[] = {
	[OUTPUT_FINAL] = "final",
	[OUTPUT_EVERY_N] = "every-n",
	[OUTPUT_ALL] = "all",
	[OUTPUT_SUM] = "sum",
	NULL,
};

const char *const model_file_auto_stage_words[] = {
	[AUTO_STAGE_SAME_AS_IPU] = "same-as-ipu",
	[AUTO_STAGE_AUTO_INCREMENT] = "auto-increment",
	NULL,
};

/* A file being read; every section fills this struct. */
struct reading {
	struct model_file *file;
	const char *origin;
	bool has_loss;	/* the model is complete */
	bool free;	/* the targets are not those of a data set */
	int block_line; /* of the latest block */
	int stage_line; /* 0: no stage yet */
	int training_line;
	int optimiser_line;
	int strategy, output_mode;
	int auto_stage; /* -1: not given */
	int classes;	/* 0: the number of outputs */
	struct optimiser_file optimiser;
	struct model_file values; /* of keys that fill a member as they are */
};

static int parse_input(void *, const char *, struct error *);
static int parse_layer(void *, const char *, struct error *);
static int parse_block_ipu(void *, const char *, struct error *);
static int parse_blocks(void *, const char *, struct error *);
static int parse_stage_ipu(void *, const char *, struct error *);
static int parse_classes(void *, const char *, struct error *);

#define READING(member) INI_FIELD(struct reading, member)
#define VALUE(member) INI_FIELD(struct reading, values.member)
#define COUNT(s, k, member) \
	{ \
		.section = (s), .key = (k), .type = INI_NUMBER, VALUE(member) \
		, .min = 1, .max = MODEL_COUNT_MAX \
	}
#define REAL(s, k, member, least, most) \
	{ \
		.section = (s), .key = (k), .type = INI_REAL, member, \
		.low = (least), .high = (most) \
	}
#define WORD(s, k, member, list) \
	{ \
		.section = (s), .key = (k), .type = INI_WORD, READING(member), \
		.words = (list) \
	}
#define FLAG(s, k, member) \
	{ \
		.section = (s), .key = (k), .type = INI_BOOL, VALUE(member) \
	}

static const struct ini_row model_file_rows[] = {
	{ .section = "model",
	    .key = "name",
	    .type = INI_NAME,
	    .required = true,
	    VALUE(name) },
	{ .section = "model",
	    .key = "input",
	    .type = INI_CUSTOM,
	    .required = true,
	    .parse = parse_input },
	{ .section = "block *",
	    .key = "ipu",
	    .type = INI_CUSTOM,
	    .parse = parse_block_ipu },
	{ .section = "block *",
	    .key = "layer",
	    .type = INI_CUSTOM,
	    .required = true,
	    .repeated = true,
	    .parse = parse_layer },
	{ .section = "stage *",
	    .key = "blocks",
	    .type = INI_CUSTOM,
	    .required = true,
	    .parse = parse_blocks },
	{ .section = "stage *",
	    .key = "ipu",
	    .type = INI_CUSTOM,
	    .parse = parse_stage_ipu },
	WORD("training", "auto_stage", auto_stage, model_file_auto_stage_words),
	WORD("training", "strategy", strategy, model_file_strategy_words),
	WORD("training", "output_mode", output_mode,
	    model_file_output_mode_words),
	COUNT("training", "output_return_period", output_return_period),
	FLAG("training", "recompute", recompute),
	FLAG("training", "offload_optimiser", offload_optimiser),
	COUNT("training", "epochs", epochs),
	COUNT("training", "batch_size", batch_size),
	COUNT("training", "gradient_accumulation", gradient_accumulation),
	COUNT("training", "device_iterations", device_iterations),
	COUNT("inference", "batch_size", test_batch_size),
	COUNT("inference", "device_iterations", test_device_iterations),
	WORD("optimiser", "kind", optimiser.kind, optimiser_words),
	REAL("optimiser", "learning_rate", READING(optimiser.learning_rate),
	    1e-12, 100),
	REAL("optimiser", "momentum", READING(optimiser.momentum), 0, 0.999999),
	REAL("optimiser", "beta1", READING(optimiser.beta1), 0, 0.999999),
	REAL("optimiser", "beta2", READING(optimiser.beta2), 0, 0.999999),
	REAL("optimiser", "epsilon", READING(optimiser.epsilon), 1e-30, 1),
	REAL("optimiser", "weight_decay", READING(optimiser.weight_decay), 0,
	    1),
	REAL("optimiser", "dampening", READING(optimiser.dampening), 0, 1),
	REAL("optimiser", "alpha", READING(optimiser.alpha), 0, 0.999999),
	{ .section = "optimiser",
	    .key = "nesterov",
	    .type = INI_BOOL,
	    READING(optimiser.nesterov) },
	{ .section = "optimiser",
	    .key = "centered",
	    .type = INI_BOOL,
	    READING(optimiser.centered) },
	{ .section = "data",
	    .key = "folder",
	    .type = INI_TEXT,
	    VALUE(data_directory) },
	REAL("data", "mean", VALUE(mean), -1000, 1000),
	REAL("data", "deviation", VALUE(deviation), 1e-6, 1000),
	{ .section = "data",
	    .key = "classes",
	    .type = INI_CUSTOM,
	    .parse = parse_classes },
	{ 0 },
};

static int
parse_input(void *target, const char *value, struct error *e)
{
	struct reading *r = target;
	struct shape in;

	if (model_layer_parse_shape(value, &in, e) != 0)
		return -1;
	model_init(&r->file->model, in);
	return 0;
}

/* Return the shape of the model's output for a sample. */
static struct shape
output_of(const struct model *m)
{
	return m->layer_count == 0 ? m->in : m->layers[m->layer_count - 1].out;
}

static int
check_classes(const struct reading *r, struct error *e)
{
	const int outputs = layer_shape_elements(output_of(&r->file->model));

	if (r->classes == 0 || !r->has_loss || r->classes == outputs)
		return 0;
	return error_set(e,
	    "the model has %d outputs, but there are %d classes", outputs,
	    r->classes);
}

/* The data have one class per sample. */
static int
add_loss(struct reading *r, struct error *e)
{
	const struct shape out = output_of(&r->file->model);
	const char *name = loss_words[r->file->loss.kind];

	if (loss_check(&r->file->loss, out, e) != 0)
		return -1;
	if (r->free) {
		r->has_loss = true;
		return 0;
	}
	if (!loss_has_classes(r->file->loss.kind))
		return error_set(e,
		    "%s: the targets are classes; use cross-entropy or nll",
		    name);
	if (r->file->model.parameter_count == 0)
		return error_set(e,
		    "%s: a layer with weights must come before it", name);
	if (out.height != 1 || out.width != 1)
		return error_set(e,
		    "%s: its input is %d x %d x %d, but must be flat; put "
		    "flatten before it",
		    name, out.channels, out.height, out.width);
	if (out.channels > CLASSES_MAX)
		return error_set(e,
		    "%s: has %d classes, but at most %d are possible", name,
		    out.channels, CLASSES_MAX);
	r->has_loss = true;
	return check_classes(r, e);
}

static int
parse_layer(void *target, const char *value, struct error *e)
{
	struct reading *r = target;
	struct layer_spec spec;
	bool is_loss;

	if (r->has_loss)
		return error_set(e, "no layer can follow %s",
		    loss_words[r->file->loss.kind]);
	if (model_layer_parse(&r->file->model, value, &spec, &r->file->loss,
		&is_loss, e) != 0)
		return -1;
	return is_loss ? add_loss(r, e) : model_add(&r->file->model, &spec, e);
}

static int
parse_block_ipu(void *target, const char *value, struct error *e)
{
	struct model *m = &((struct reading *)target)->file->model;
	long long ipu;

	if (parse_number("ipu", value, 0, IPU_MAX, &ipu, e) != 0)
		return -1;
	m->blocks[m->block_count - 1].ipu = (int)ipu;
	return 0;
}

static int
parse_classes(void *target, const char *value, struct error *e)
{
	struct reading *r = target;
	long long classes;

	if (parse_number("classes", value, 2, CLASSES_MAX, &classes, e) != 0)
		return -1;
	r->classes = (int)classes;
	return check_classes(r, e);
}

static int
parse_blocks(void *target, const char *value, struct error *e)
{
	struct stages *stages = &((struct reading *)target)->file->stages;
	char *list = xstrdup(value), *rest = list, *word;
	int status = 0;

	while (status == 0 && (word = strsep(&rest, " \t,")) != NULL)
		if (*word != '\0')
			status = stages_add(stages, word, e);
	free(list);
	return status;
}

static int
parse_stage_ipu(void *target, const char *value, struct error *e)
{
	struct stages *stages = &((struct reading *)target)->file->stages;
	long long ipu;

	if (parse_number("ipu", value, 0, IPU_MAX, &ipu, e) != 0)
		return -1;
	stages->ipu[stages->count - 1] = (int)ipu;
	return 0;
}

static int
begin_block(struct reading *r, const struct ini_section *s, struct error *e)
{
	struct model *m = &r->file->model;

	if (m->in.channels == 0)
		return error_set(e, "[model] must come before the blocks");
	if (r->stage_line != 0)
		return error_set(e, "all blocks must stand before the stages");
	if (r->has_loss)
		return error_set(e, "no block can follow %s, the last layer",
		    loss_words[r->file->loss.kind]);
	if (name_check("block", s->name, e) != 0)
		return -1;
	if (strlen(s->name) >= BLOCK_NAME_SIZE)
		return error_set(e,
		    "a block's name must be at most %d bytes long",
		    BLOCK_NAME_SIZE - 1);
	r->block_line = s->line;
	return model_block(m, s->name, -1, e);
}

static int
begin_stage(struct reading *r, const struct ini_section *s, struct error *e)
{
	if (!r->has_loss)
		return error_set(e,
		    "all blocks must come before the stages, and the last "
		    "block must end with cross-entropy or nll");
	if (name_check("stage", s->name, e) != 0)
		return -1;
	if (r->stage_line == 0)
		stages_init(&r->file->stages, &r->file->model);
	r->stage_line = s->line;
	return stages_begin(&r->file->stages, -1, e);
}

static void *
model_file_begin_section(void *context, const struct ini_section *s,
    struct error *e)
{
	struct reading *r = context;
	int status = 0;

	if (strcmp(s->kind, "block") == 0)
		status = begin_block(r, s, e);
	else if (strcmp(s->kind, "stage") == 0)
		status = begin_stage(r, s, e);
	else if (strcmp(s->kind, "training") == 0)
		r->training_line = s->line;
	else if (strcmp(s->kind, "optimiser") == 0)
		r->optimiser_line = s->line;
	return status == 0 ? r : NULL;
}

/* Set the defaults. */
static void
init_reading(struct reading *r, struct model_file *f, const char *origin)
{
	memset(f, 0, sizeof(*f));
	*r = (struct reading){ .file = f,
		.origin = origin,
		.strategy = STRATEGY_PIPELINED,
		.output_mode = OUTPUT_FINAL,
		.auto_stage = -1,
		.values = {
		    .epochs = 1,
		    .batch_size = 1,
		    .gradient_accumulation = 1,
		    .device_iterations = 1,
		    .output_return_period = 1,
		    .test_batch_size = 1,
		    .data_directory = "mnist_data",
		    .mean = 0,
		    .deviation = 1,
		} };
	optimiser_file_init(&r->optimiser);
}

/* Copy the values to the file; the model and its stages are there already. */
static void
keep_values(const struct reading *r)
{
	struct model_file *f = r->file;
	const struct model model = f->model;
	const struct stages stages = f->stages;
	const struct loss loss = f->loss;

	*f = r->values;
	f->model = model;
	f->loss = loss;
	f->stages = stages;
	f->stages.model = &f->model;
	f->strategy = (enum strategy)r->strategy;
	f->output_mode = (enum output_mode)r->output_mode;
}

static int
commit_stages(const struct reading *r, struct error *e)
{
	struct model_file *f = r->file;
	struct error reason;
	enum auto_stage how = r->auto_stage == -1 ?
	    AUTO_STAGE_SAME_AS_IPU :
	    (enum auto_stage)r->auto_stage;

	if (r->stage_line == 0) {
		if (stages_auto(&f->stages, &f->model, how, &reason) == 0)
			return 0;
		if (r->auto_stage != -1)
			return ini_refuse(e, r->origin, r->training_line, "%s",
			    reason.text);
		return ini_refuse(e, r->origin, r->block_line,
		    "%s; give each block its ipu, or add [stage ...] sections "
		    "or auto_stage = auto-increment",
		    reason.text);
	}
	if (r->auto_stage != -1)
		return ini_refuse(e, r->origin, r->training_line,
		    "auto_stage cannot be used with [stage ...] sections; "
		    "remove one of them");
	if (stages_end(&f->stages, &reason) != 0)
		return ini_refuse(e, r->origin, r->stage_line, "%s",
		    reason.text);
	return 0;
}

static int
check_stages(const struct reading *r, struct error *e)
{
	const struct stages *s = &r->file->stages;
	struct error reason;

	if (stages_check(s->model, s->count, s->blocks, &reason) == 0)
		return 0;
	return ini_refuse(e, r->origin,
	    r->stage_line > 0 ? r->stage_line : r->block_line, "%s",
	    reason.text);
}

static int
commit_optimiser(const struct reading *r, struct error *e)
{
	struct error reason;

	if (optimiser_file_commit(&r->optimiser, &r->file->optimiser,
		&reason) == 0)
		return 0;
	return ini_refuse(e, r->origin, r->optimiser_line, "%s", reason.text);
}

/* Check the file as a whole and complete it. */
static int
model_file_commit(struct reading *r, struct error *e)
{
	const struct model_file *f = r->file;

	if (!r->has_loss && r->block_line == 0)
		return ini_refuse(e, r->origin, 1,
		    "a [block ...] section with the model's layers is missing");
	if (!r->has_loss)
		return ini_refuse(e, r->origin, r->block_line,
		    "the model's last layer must be cross-entropy or nll");
	keep_values(r);
	if ((double)f->batch_size * f->gradient_accumulation *
		f->device_iterations >
	    MODEL_COUNT_MAX)
		return ini_refuse(e, r->origin, r->training_line,
		    "one call would take more than %d samples; reduce "
		    "batch_size x gradient_accumulation x device_iterations",
		    MODEL_COUNT_MAX);
	if (commit_stages(r, e) != 0 || check_stages(r, e) != 0)
		return -1;
	return commit_optimiser(r, e);
}

static int
parse_text(struct model_file *f, const char *origin, const char *text,
    size_t size, bool free_targets, struct error *e)
{
	struct reading *r = xcalloc(1, sizeof(*r));
	struct ini_schema schema = { model_file_rows, model_file_begin_section,
		r };
	int status;

	init_reading(r, f, origin);
	r->free = free_targets;
	status = ini_read_text(&schema, origin, text, size, e);
	if (status == 0)
		status = model_file_commit(r, e);
	free(r);
	return status;
}

int
model_file_parse(struct model_file *f, const char *origin, const char *text,
    size_t size, struct error *e)
{
	return parse_text(f, origin, text, size, false, e);
}

int
model_file_parse_free(struct model_file *f, const char *origin,
    const char *text, size_t size, struct error *e)
{
	return parse_text(f, origin, text, size, true, e);
}

int
model_file_read(struct model_file *f, const char *path, struct error *e)
{
	size_t size;
	char *text = file_read(path, FILE_BYTES_MAX, &size, e);
	int status;

	if (text == NULL)
		return -1;
	status = model_file_parse(f, path, text, size, e);
	free(text);
	return status;
}

const char *
model_file_builtin_text(const char *name)
{
	const struct embedded_file *m;

	for (m = embedded_models; m->name != NULL; m++)
		if (strcmp(m->name, name) == 0)
			break;
	return m->text;
}

int
model_file_builtin(struct model_file *f, const char *name, struct error *e)
{
	const char *text = model_file_builtin_text(name);
	const struct embedded_file *m;
	struct suggestion nearest;

	if (text != NULL)
		return model_file_parse(f, name, text, strlen(text), e);
	suggest_begin(&nearest, name);
	(void)error_set(e, "no built-in model is called '%s'; they are ", name);
	for (m = embedded_models; m->name != NULL; m++) {
		suggest_offer(&nearest, m->name);
		(void)error_append(e, "%s%s", m == embedded_models ? "" : ", ",
		    m->name);
	}
	(void)error_append(e,
	    "; the name of a file must contain '/' or end with .ini");
	return suggest_append(&nearest, "", e);
}

int
model_file_test_count(const struct model_file *f)
{
	return f->test_device_iterations > 0 ?
	    f->test_device_iterations :
	    f->device_iterations * f->gradient_accumulation;
}
