/*
 * Reads a layer from a line of text; a table has the arguments of each kind.
 * The names are PyTorch's:
 *
 *	conv2d out_channels=10 kernel_size=5 stride=1 padding=0 bias=yes
 *	maxpool2d kernel_size=2 stride=2 padding=0
 *	relu
 *	linear out_features=256 bias=yes
 *	add inputs=skip,3
 *	cross-entropy reduction=mean
 *
 * A missing argument has PyTorch's default: stride 1, or in maxpool2d the
 * kernel's size; padding 0; a bias.  All layers take `name` and `inputs`.
 */
#include "ipu/nn/model.h"

#include <assert.h>
#include <bsd/string.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "ipu/nn/layer_row.h"
#include "ipu/nn/loss.h"

enum { WORD_SIZE = 1024, SIDE_MAX = 4096, ARGUMENT_MAX = 1 << 20 };

#define REAL_MAX 1e6

enum argument_type {
	NUMBER,
	SIDES, /* one number, or two: along the height and the width */
	NO,
	YES,
	REAL,
	AXIS,
	SIZES,
	NAME,
	INPUTS,
	REDUCTION,
	IGNORED,
	WEIGHTS,
	PADDING
};

struct argument {
	unsigned long long kinds; /* a bit each */
	const char *name;
	size_t
	    offset; /* place of its member in the specification or the loss */
	enum argument_type type;
	int min; /* of a number */
	bool required;
};

#define KIND(kind) (1ull << LAYER_##kind)
#define SPEC(member) offsetof(struct layer_spec, member)
#define LAYERS ((1ull << LAYER_KINDS) - 1)
#define LOSS(kind) (1ull << (LAYER_KINDS + LOSS_##kind))
#define LOSSES (~0ull ^ LAYERS)
#define CLASSES (LOSS(CROSS_ENTROPY) | LOSS(NLL))
#define WINDOWS (KIND(CONV2D) | KIND(MAXPOOL2D) | KIND(AVGPOOL2D))
#define NORMS (KIND(BATCH_NORM) | KIND(LAYER_NORM))
#define ADDED (KIND(ADD_PARAMETER) | KIND(ADD_CONSTANT))
#define SOFTMAXES (KIND(SOFTMAX) | KIND(LOG_SOFTMAX))

static const struct argument arguments[] = {
	{ LAYERS, "name", SPEC(name), NAME, 0, false },
	{ LAYERS, "inputs", SPEC(inputs), INPUTS, 0, false },
	{ KIND(CONV2D), "out_channels", SPEC(out), NUMBER, 1, true },
	{ KIND(LINEAR), "out_features", SPEC(out), NUMBER, 1, true },
	{ WINDOWS, "kernel_size", SPEC(kernel), SIDES, 1, true },
	{ WINDOWS, "stride", SPEC(stride), SIDES, 1, false },
	{ WINDOWS, "padding", SPEC(padding), SIDES, 0, false },
	{ KIND(CONV2D), "dilation", SPEC(dilation), SIDES, 1, false },
	{ KIND(CONV2D) | KIND(LINEAR), "bias", SPEC(no_bias), NO, 0, false },
	{ KIND(CONV2D), "groups", SPEC(groups), NUMBER, 1, false },
	{ NORMS, "affine", SPEC(no_bias), NO, 0, false },
	{ NORMS, "eps", SPEC(value), REAL, 0, false },
	{ KIND(BATCH_NORM), "momentum", SPEC(momentum), REAL, 0, false },
	{ KIND(DROPOUT), "p", SPEC(value), REAL, 0, false },
	{ KIND(DROPOUT), "rows_first", SPEC(variant), YES, 0, false },
	{ KIND(EMBEDDING), "num_embeddings", SPEC(length), NUMBER, 1, true },
	{ KIND(EMBEDDING), "embedding_dim", SPEC(out), NUMBER, 1, true },
	{ KIND(EMBEDDING), "padding_idx", SPEC(start), PADDING, 0, false },
	{ ADDED, "shared", SPEC(variant), YES, 0, false },
	{ KIND(MATMUL), "transpose", SPEC(variant), YES, 0, false },
	{ KIND(MATMUL), "factor", SPEC(value), REAL, 0, false },
	{ KIND(SCALE), "factor", SPEC(value), REAL, 0, true },
	{ KIND(LEAKY_RELU), "negative_slope", SPEC(value), REAL, 0, false },
	{ KIND(ELU), "alpha", SPEC(value), REAL, 0, false },
	{ KIND(GELU), "tanh", SPEC(variant), YES, 0, false },
	{ KIND(CONCAT) | KIND(SLICE) | KIND(MEAN) | KIND(LAYER_NORM) |
		SOFTMAXES,
	    "axis", SPEC(axis), AXIS, 0, false },
	{ KIND(SLICE), "start", SPEC(start), NUMBER, 0, false },
	{ KIND(SLICE), "length", SPEC(length), NUMBER, 1, true },
	{ KIND(RESHAPE), "shape", SPEC(sizes), SIZES, 1, true },
	{ KIND(PERMUTE), "order", SPEC(sizes), SIZES, 0, true },
	{ LAYERS, "train_weights", SPEC(fixed_weights), NO, 0, false },
	{ LAYERS, "train_biases", SPEC(fixed_biases), NO, 0, false },
	{ LOSSES, "reduction", offsetof(struct loss, sum), REDUCTION, 0,
	    false },
	{ CLASSES, "axis", offsetof(struct loss, axis), AXIS, 0, false },
	{ CLASSES, "ignore_index", offsetof(struct loss, ignore_index), IGNORED,
	    -ARGUMENT_MAX, false },
	{ CLASSES, "weight", offsetof(struct loss, weights), WEIGHTS, 0,
	    false },
	{ LOSS(BCE_LOGITS), "pos_weight", offsetof(struct loss, weights),
	    WEIGHTS, 0, false },
	{ LOSS(CROSS_ENTROPY), "label_smoothing",
	    offsetof(struct loss, smoothing), REAL, 0, false },
	{ LOSS(SMOOTH_L1), "beta", offsetof(struct loss, beta), REAL, 0,
	    false },
};

enum { ARGUMENTS = ARRAY_SIZE(arguments) };

/* A layer or a loss being read. */
struct layer_reading {
	const struct model *model;
	struct layer_spec *spec;
	struct loss *loss;
	bool is_loss;
	const char *name; /* of the kind */
};

/* Return the name of a kind, with the losses after the layers; NULL: no such
   kind. */
static const char *
kind_name(int kind)
{
	return kind < LAYER_KINDS ? model_kind_name((enum layer_kind)kind) :
				    loss_words[kind - LAYER_KINDS];
}

/* Find the kind by name. */
static int
find_kind(const char *name, struct layer_reading *r, struct error *e)
{
	struct suggestion nearest;
	int kind;

	for (kind = 0; (r->name = kind_name(kind)) != NULL; kind++) {
		if (strcmp(name, r->name) != 0)
			continue;
		r->is_loss = kind >= LAYER_KINDS;
		if (r->is_loss)
			*r->loss = (struct loss){
				.kind = (enum loss_kind)(kind - LAYER_KINDS),
				.beta = 1
			};
		else
			r->spec->kind = (enum layer_kind)kind;
		return 0;
	}
	(void)error_set(e, "layer '%s': must be one of ", name);
	suggest_begin(&nearest, name);
	for (kind = 0; kind_name(kind) != NULL; kind++) {
		suggest_offer(&nearest, kind_name(kind));
		(void)error_append(e, "%s%s", kind > 0 ? ", " : "",
		    kind_name(kind));
	}
	return suggest_append(&nearest, "", e);
}

/* Whether a kind has the argument. */
static bool
takes(const struct layer_reading *r, int argument)
{
	const int kind = r->is_loss ? LAYER_KINDS + (int)r->loss->kind :
				      (int)r->spec->kind;

	return (arguments[argument].kinds >> kind & 1) != 0;
}

/* Find the row of "name=value", and the value. */
static int
find_argument(const struct layer_reading *r, const char *word,
    const char **value, struct error *e)
{
	const size_t len = strcspn(word, "=");
	int i;

	for (i = 0; i < ARGUMENTS; i++)
		if (takes(r, i) && strlen(arguments[i].name) == len &&
		    strncmp(arguments[i].name, word, len) == 0)
			break;
	if (i == ARGUMENTS)
		return error_set(e, "%s: '%.*s' is not one of its arguments",
		    r->name, (int)len, word);
	if (word[len] == '\0' || word[len + 1] == '\0')
		return error_set(e, "%s: '%s' has no value", r->name,
		    arguments[i].name);
	*value = word + len + 1;
	return i;
}

/* Parse an input: a name, "input" for the model's, or a layer's number, from 0
   or -1 for the model's input. */
static int
parse_input(const struct model *m, const char *text, int *input,
    struct error *e)
{
	long long number;
	int i;

	if (strcmp(text, "input") == 0) {
		*input = -1;
		return 0;
	}
	for (i = m->layer_count - 1; i >= 0; i--)
		if (strcmp(m->layers[i].spec.name, text) == 0)
			break;
	*input = i;
	if (i >= 0)
		return 0;
	if (parse_number("inputs", text, -1, m->layer_count - 1, &number, e) !=
	    0)
		return error_set(e,
		    "inputs: '%s' is not input, the name of an earlier layer, "
		    "or a number from -1 to %d",
		    text, m->layer_count - 1);
	*input = (int)number;
	return 0;
}

/* Copy what stands before the separator, cut at WORD_SIZE - 1, and move past
   it; *text is NULL where there is none. */
static void
next_item(const char **text, const char *separator, char *word)
{
	const size_t len = strcspn(*text, separator);

	(void)strlcpy(word, *text, len + 1 < WORD_SIZE ? len + 1 : WORD_SIZE);
	*text = (*text)[len] == '\0' ? NULL : *text + len + 1;
}

/* Parse a list of inputs with commas. */
static int
parse_inputs(const struct model *m, const char *value, struct layer_spec *spec,
    struct error *e)
{
	char word[WORD_SIZE];

	while (value != NULL) {
		if (spec->input_count == KERNEL_INPUTS_MAX)
			return error_set(e, "inputs: more than %d",
			    KERNEL_INPUTS_MAX);
		next_item(&value, ",", word);
		if (parse_input(m, word, &spec->inputs[spec->input_count++],
			e) != 0)
			return -1;
	}
	return 0;
}

/* Parse three numbers, such as 1x28x28. */
static int
parse_sizes(const char *what, const char *text, int min, int max, int sizes[3],
    struct error *e)
{
	const char *from = text;
	char digits[WORD_SIZE];
	long long number;
	size_t len;
	int i;

	for (i = 0; i < 3; i++) {
		len = strcspn(from, "x");
		(void)strlcpy(digits, from,
		    len + 1 < WORD_SIZE ? len + 1 : WORD_SIZE);
		if (parse_number(what, digits, min, max, &number, e) != 0)
			return -1;
		sizes[i] = (int)number;
		from += len;
		if (*from != (i < 2 ? 'x' : '\0'))
			return error_set(e,
			    "%s '%s': must be channels, height and width, such "
			    "as 1x28x28",
			    what, text);
		from++;
	}
	return 0;
}

/* Parse "3" or "3x1" into the same member of both windows. */
static int
parse_sides(const struct argument *a, const char *text, int *member,
    struct error *e)
{
	char first[WORD_SIZE];
	long long y, x;

	next_item(&text, "x", first);
	if (parse_number(a->name, first, a->min, ARGUMENT_MAX, &y, e) != 0)
		return -1;
	x = y;
	if (text != NULL &&
	    parse_number(a->name, text, a->min, ARGUMENT_MAX, &x, e) != 0)
		return -1;
	*member = (int)y;
	member[(SPEC(x) - SPEC(y)) / sizeof(int)] = (int)x;
	return 0;
}

static int
parse_axis(const char *value, enum model_axis *axis, struct error *e)
{
	int i;

	for (i = 0; layer_row_axes[i] != NULL; i++) {
		if (strcmp(layer_row_axes[i], value) == 0) {
			*axis = (enum model_axis)i;
			return 0;
		}
	}
	(void)error_set(e, "axis '%s': must be one of ", value);
	for (i = 0; layer_row_axes[i] != NULL; i++)
		(void)error_append(e, "%s%s", i > 0 ? ", " : "",
		    layer_row_axes[i]);
	return -1;
}

/* A name must not be taken for a number or for the model's input. */
static int
parse_name(const struct model *m, const char *value, struct layer_spec *spec,
    struct error *e)
{
	int i;

	if (name_check("layer", value, e) != 0)
		return -1;
	if (strlen(value) >= sizeof(spec->name))
		return error_set(e, "name: must be at most %zu bytes long",
		    sizeof(spec->name) - 1);
	if (strcmp(value, "input") == 0 || (*value >= '0' && *value <= '9'))
		return error_set(e,
		    "name '%s': must begin with a letter, and not be input",
		    value);
	for (i = 0; i < m->layer_count; i++)
		if (strcmp(m->layers[i].spec.name, value) == 0)
			return error_set(e, "name '%s': layer %d has it", value,
			    i);
	(void)strlcpy(spec->name, value, sizeof(spec->name));
	return 0;
}

static int
parse_reduction(const char *value, bool *sum, struct error *e)
{
	*sum = strcmp(value, "sum") == 0;
	if (*sum || strcmp(value, "mean") == 0)
		return 0;
	return error_set(e, "reduction '%s': must be mean or sum", value);
}

/* Parse a list of weights with commas. */
static int
parse_weights(const struct argument *a, const char *text, struct loss *l,
    struct error *e)
{
	char word[WORD_SIZE];
	double weight;

	while (text != NULL) {
		if (l->weight_count == LOSS_WEIGHTS_MAX)
			return error_set(e, "%s: more than %d", a->name,
			    LOSS_WEIGHTS_MAX);
		next_item(&text, ",", word);
		if (parse_real(a->name, word, 0, REAL_MAX, &weight, e) != 0)
			return -1;
		l->weights[l->weight_count++] = (float)weight;
	}
	return 0;
}

/* Store an argument's value in its member of the specification or the loss. */
static int
store(const struct layer_reading *r, const struct argument *a,
    const char *value, struct error *e)
{
	void *member = (r->is_loss ? (char *)r->loss : (char *)r->spec) +
	    a->offset;
	long long number;
	bool flag;
	double real;

	if (a->type == IGNORED)
		r->loss->ignores = true;
	if (a->type == PADDING)
		r->spec->variant = true;
	switch (a->type) {
	case NUMBER:
	case IGNORED:
	case PADDING:
		if (parse_number(a->name, value, a->min, ARGUMENT_MAX, &number,
			e) != 0)
			return -1;
		*(int *)member = (int)number;
		return 0;
	case SIDES:
		return parse_sides(a, value, member, e);
	case NO:
	case YES:
		if (parse_bool(a->name, value, &flag, e) != 0)
			return -1;
		*(bool *)member = a->type == YES ? flag : !flag;
		return 0;
	case REAL:
		if (parse_real(a->name, value, -REAL_MAX, REAL_MAX, &real, e) !=
		    0)
			return -1;
		*(float *)member = (float)real;
		return 0;
	case AXIS:
		return parse_axis(value, member, e);
	case SIZES:
		return parse_sizes(a->name, value, a->min, MODEL_FLOATS_MAX,
		    member, e);
	case NAME:
		return parse_name(r->model, value, r->spec, e);
	case INPUTS:
		return parse_inputs(r->model, value, r->spec, e);
	case WEIGHTS:
		return parse_weights(a, value, r->loss, e);
	case REDUCTION:
		return parse_reduction(value, member, e);
	}
	return 0;
}

/* Copy the next word, cut at WORD_SIZE - 1; false: the text has ended. */
static bool
next_word(const char **text, char *word)
{
	const char *from = *text + strspn(*text, " \t");
	const size_t len = strcspn(from, " \t");

	(void)strlcpy(word, from, len + 1 < WORD_SIZE ? len + 1 : WORD_SIZE);
	*text = from + len;
	return len > 0;
}

/* Set PyTorch's defaults of arguments for which 0 is a value too. */
static void
begin_defaults(struct layer_spec *spec)
{
	static const struct {
		enum layer_kind kind;
		float value, momentum;
		enum model_axis axis;
	} defaults[] = {
		{ LAYER_LEAKY_RELU, 0.01f, 0, AXIS_FEATURES },
		{ LAYER_ELU, 1, 0, AXIS_FEATURES },
		{ LAYER_MEAN, 0, 0, AXIS_PLANE },
		{ LAYER_BATCH_NORM, 1e-5f, 0.1f, AXIS_FEATURES },
		{ LAYER_LAYER_NORM, 1e-5f, 0, AXIS_FEATURES },
		{ LAYER_DROPOUT, 0.5f, 0, AXIS_FEATURES },
		{ LAYER_MATMUL, 1, 0, AXIS_FEATURES },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(defaults); i++) {
		if (defaults[i].kind != spec->kind)
			continue;
		spec->value = defaults[i].value;
		spec->momentum = defaults[i].momentum;
		spec->axis = defaults[i].axis;
	}
}

/* Fill in PyTorch's defaults of members that are 0 so far: a stride is 1, or
   the kernel of a pool.  Where both windows are equal, one is left. */
static void
fill_defaults(struct layer_spec *spec)
{
	const bool is_conv = spec->kind == LAYER_CONV2D;

	if (spec->kernel > 0 && spec->stride == 0) {
		spec->y.stride = is_conv ? 1 : spec->y.kernel;
		spec->x.stride = is_conv ? 1 : spec->x.kernel;
	}
	if (memcmp(&spec->x, &spec->y, sizeof(spec->x)) == 0)
		spec->x = (struct window_side){ 0 };
}

int
model_layer_parse(const struct model *m, const char *text,
    struct layer_spec *spec, struct loss *loss, bool *is_loss, struct error *e)
{
	struct layer_reading r = { .model = m, .spec = spec, .loss = loss };
	bool seen[ARGUMENTS] = { false };
	char kind[WORD_SIZE], word[WORD_SIZE];
	const char *value = NULL;
	int i;

	assert(LAYER_KINDS + LOSS_KINDS < 64);
	*spec = (struct layer_spec){ 0 };
	(void)next_word(&text, kind);
	if (find_kind(kind, &r, e) != 0)
		return -1;
	*is_loss = r.is_loss;
	begin_defaults(spec);
	while (next_word(&text, word)) {
		i = find_argument(&r, word, &value, e);
		if (i == -1)
			return -1;
		if (seen[i])
			return error_set(e, "%s: '%s' is given twice", kind,
			    arguments[i].name);
		seen[i] = true;
		if (store(&r, &arguments[i], value, e) != 0)
			return error_prefix(e, "%s", kind);
	}
	for (i = 0; i < ARGUMENTS; i++)
		if (takes(&r, i) && arguments[i].required && !seen[i])
			return error_set(e, "%s: needs %s", kind,
			    arguments[i].name);
	fill_defaults(spec);
	return 0;
}

int
model_layer_parse_shape(const char *text, struct shape *shape, struct error *e)
{
	int sizes[3];

	if (parse_sizes("input", text, 1, SIDE_MAX, sizes, e) != 0)
		return -1;
	*shape = (struct shape){ sizes[0], sizes[1], sizes[2] };
	return 0;
}

/* Leaves out what a chain of the first five kinds does not have, so that its
   text stays as it was before there were others. */
void
model_layer_print(const struct layer_spec *s, FILE *f)
{
	int i;

	for (i = 0; i < s->input_count; i++)
		fprintf(f, "%s%d", i == 0 ? " inputs=" : ",", s->inputs[i]);
	if (s->kind > LAYER_LINEAR)
		fprintf(f,
		    " axis=%d start=%d length=%d sizes=%dx%dx%d value=%.9g "
		    "momentum=%.9g variant=%d",
		    s->axis, s->start, s->length, s->sizes[0], s->sizes[1],
		    s->sizes[2], (double)s->value, (double)s->momentum,
		    s->variant);
	if (s->x.kernel > 0)
		fprintf(f, " width=%d,%d,%d,%d", s->x.kernel, s->x.stride,
		    s->x.padding, s->x.dilation);
	if (s->dilation > 1)
		fprintf(f, " dilation=%d", s->dilation);
	if (s->groups > 1)
		fprintf(f, " groups=%d", s->groups);
	if (s->fixed_weights || s->fixed_biases)
		fprintf(f, " fixed=%d,%d", s->fixed_weights, s->fixed_biases);
}
