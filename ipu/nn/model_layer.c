/*
 * Reads a layer from a line of text; a table has the arguments of each kind.
 * The names are PyTorch's:
 *
 *	conv2d out_channels=10 kernel_size=5 stride=1 padding=0 bias=yes
 *	maxpool2d kernel_size=2 stride=2 padding=0
 *	relu
 *	flatten
 *	linear out_features=256 bias=yes
 *	cross-entropy
 *
 * A missing argument has PyTorch's default: stride 1, or in maxpool2d the
 * kernel's size; padding 0; a bias.
 */
#include "ipu/nn/model.h"

#include <bsd/string.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"

enum { WORD_SIZE = 64, SIDE_MAX = 4096, ARGUMENT_MAX = 1 << 20 };

struct argument {
	enum layer_kind kind;
	const char *name;
	size_t offset; /* of its int; NO_FIELD: bias */
	int min;
	bool required;
};

#define NO_FIELD SIZE_MAX
#define SPEC(member) offsetof(struct layer_spec, member)

static const struct argument arguments[] = {
	{ LAYER_CONV2D, "out_channels", SPEC(out), 1, true },
	{ LAYER_CONV2D, "kernel_size", SPEC(kernel), 1, true },
	{ LAYER_CONV2D, "stride", SPEC(stride), 1, false },
	{ LAYER_CONV2D, "padding", SPEC(padding), 0, false },
	{ LAYER_CONV2D, "bias", NO_FIELD, 0, false },
	{ LAYER_MAXPOOL2D, "kernel_size", SPEC(kernel), 1, true },
	{ LAYER_MAXPOOL2D, "stride", SPEC(stride), 1, false },
	{ LAYER_MAXPOOL2D, "padding", SPEC(padding), 0, false },
	{ LAYER_LINEAR, "out_features", SPEC(out), 1, true },
	{ LAYER_LINEAR, "bias", NO_FIELD, 0, false },
};

enum { ARGUMENTS = ARRAY_SIZE(arguments) };

static const char loss_name[] = "cross-entropy";

/* Find the kind by name; cross-entropy is not a layer, but the model's end. */
static int
find_kind(const char *name, struct layer_spec *spec, bool *is_loss,
    struct error *e)
{
	struct suggestion nearest;
	int kind;

	*is_loss = strcmp(name, loss_name) == 0;
	if (*is_loss)
		return 0;
	for (kind = LAYER_CONV2D; kind <= LAYER_LINEAR; kind++) {
		if (strcmp(name, model_kind_name((enum layer_kind)kind)) == 0) {
			spec->kind = (enum layer_kind)kind;
			return 0;
		}
	}
	(void)error_set(e, "layer '%s': must be one of ", name);
	suggest_begin(&nearest, name);
	for (kind = LAYER_CONV2D; kind <= LAYER_LINEAR; kind++) {
		suggest_offer(&nearest, model_kind_name((enum layer_kind)kind));
		(void)error_append(e, "%s, ",
		    model_kind_name((enum layer_kind)kind));
	}
	(void)error_append(e, "%s", loss_name);
	suggest_offer(&nearest, loss_name);
	return suggest_append(&nearest, "", e);
}

/* Find the row of "name=value", and the value. */
static int
find_argument(const char *kind, const struct layer_spec *spec, bool is_loss,
    const char *word, const char **value, struct error *e)
{
	const size_t len = strcspn(word, "=");
	int i;

	for (i = 0; i < ARGUMENTS; i++)
		if (!is_loss && arguments[i].kind == spec->kind &&
		    strlen(arguments[i].name) == len &&
		    strncmp(arguments[i].name, word, len) == 0)
			break;
	if (i == ARGUMENTS)
		return error_set(e, "%s: '%.*s' is not one of its arguments",
		    kind, (int)len, word);
	if (word[len] == '\0' || word[len + 1] == '\0')
		return error_set(e, "%s: '%s' has no value", kind,
		    arguments[i].name);
	*value = word + len + 1;
	return i;
}

/* Store an argument's value in its member of the specification. */
static int
model_layer_store(const struct argument *a, const char *value,
    struct layer_spec *spec, struct error *e)
{
	long long number;
	bool bias;
	int *field;

	if (a->offset == NO_FIELD) {
		if (parse_bool(a->name, value, &bias, e) != 0)
			return -1;
		spec->no_bias = !bias;
		return 0;
	}
	if (parse_number(a->name, value, a->min, ARGUMENT_MAX, &number, e) != 0)
		return -1;
	field = (int *)(void *)((char *)spec + a->offset);
	*field = (int)number;
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

/* A missing stride becomes PyTorch's default: 1, or the kernel of a maximum. */
int
model_layer_parse(const char *text, struct layer_spec *spec, bool *is_loss,
    struct error *e)
{
	bool seen[ARGUMENTS] = { false };
	char kind[WORD_SIZE], word[WORD_SIZE];
	const char *value = NULL;
	int i;

	*spec = (struct layer_spec){ 0 };
	(void)next_word(&text, kind);
	if (find_kind(kind, spec, is_loss, e) != 0)
		return -1;
	while (next_word(&text, word)) {
		i = find_argument(kind, spec, *is_loss, word, &value, e);
		if (i == -1)
			return -1;
		if (seen[i])
			return error_set(e, "%s: '%s' is given twice", kind,
			    arguments[i].name);
		seen[i] = true;
		if (model_layer_store(&arguments[i], value, spec, e) != 0)
			return error_prefix(e, "%s", kind);
	}
	for (i = 0; i < ARGUMENTS; i++)
		if (!*is_loss && arguments[i].kind == spec->kind &&
		    arguments[i].required && !seen[i])
			return error_set(e, "%s: needs %s", kind,
			    arguments[i].name);
	if (spec->kernel > 0 && spec->stride == 0)
		spec->stride = spec->kind == LAYER_CONV2D ? 1 : spec->kernel;
	return 0;
}

int
model_layer_parse_shape(const char *text, struct shape *shape, struct error *e)
{
	int sizes[3], i;
	long long number;
	char digits[WORD_SIZE];
	const char *from = text;
	size_t len;

	for (i = 0; i < 3; i++) {
		len = strcspn(from, "x");
		(void)strlcpy(digits, from,
		    len + 1 < WORD_SIZE ? len + 1 : WORD_SIZE);
		if (parse_number("input", digits, 1, SIDE_MAX, &number, e) != 0)
			return -1;
		sizes[i] = (int)number;
		from += len;
		if (*from != (i < 2 ? 'x' : '\0'))
			return error_set(e,
			    "input '%s': must be channels, height and width, "
			    "such as 1x28x28",
			    text);
		from++;
	}
	*shape = (struct shape){ sizes[0], sizes[1], sizes[2] };
	return 0;
}
