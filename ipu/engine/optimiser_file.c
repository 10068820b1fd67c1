/*
 * Optimisers from their numbers in a file; a table has those of each kind.
 */
#include "ipu/engine/optimiser_file.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/base/alloc.h"

#define SGD (1u << OPTIMISER_SGD)
#define RMSPROP (1u << OPTIMISER_RMSPROP)
#define ADAMS (1u << OPTIMISER_ADAM | 1u << OPTIMISER_ADAMW)
#define KEY(member, kinds) \
	{ \
#member, offsetof(struct optimiser_file, member), \
		    offsetof(struct optimiser, member), (kinds) \
	}

static const struct optimiser_key {
	const char *key;
	size_t from, to; /* of the double in both structs */
	unsigned kinds;	 /* a bit each */
} optimiser_keys[] = {
	KEY(learning_rate, SGD | ADAMS | RMSPROP),
	KEY(momentum, SGD | RMSPROP),
	KEY(beta1, ADAMS),
	KEY(beta2, ADAMS),
	KEY(epsilon, ADAMS | RMSPROP),
	KEY(weight_decay, SGD | ADAMS | RMSPROP),
	KEY(dampening, SGD),
	KEY(alpha, RMSPROP),
};

void
optimiser_file_init(struct optimiser_file *f)
{
	const double none = NAN;
	size_t i;

	*f = (struct optimiser_file){ .kind = OPTIMISER_SGD };
	for (i = 0; i < ARRAY_SIZE(optimiser_keys); i++)
		memcpy((char *)f + optimiser_keys[i].from, &none, sizeof(none));
}

static int
refuse_key(const struct optimiser_file *f, const char *key, struct error *e)
{
	return error_set(e, "%s: %s has none", key, optimiser_words[f->kind]);
}

int
optimiser_file_commit(const struct optimiser_file *f, struct optimiser *o,
    struct error *e)
{
	static const double rates[] = { [OPTIMISER_SGD] = 0.01,
		[OPTIMISER_ADAM] = 0.001,
		[OPTIMISER_ADAMW] = 0.001,
		[OPTIMISER_RMSPROP] = 0.01 };
	const struct optimiser_key *k;
	double value;
	size_t i;

	*o = optimiser_defaults((enum optimiser_kind)f->kind, rates[f->kind]);
	for (i = 0; i < ARRAY_SIZE(optimiser_keys); i++) {
		k = &optimiser_keys[i];
		memcpy(&value, (const char *)f + k->from, sizeof(value));
		if (isnan(value))
			continue;
		if ((k->kinds >> f->kind & 1) == 0)
			return refuse_key(f, k->key, e);
		memcpy((char *)o + k->to, &value, sizeof(value));
	}
	if (f->nesterov && f->kind != OPTIMISER_SGD)
		return refuse_key(f, "nesterov", e);
	if (f->centered && f->kind != OPTIMISER_RMSPROP)
		return refuse_key(f, "centered", e);
	if (f->nesterov && (o->momentum <= 0 || o->dampening != 0))
		return error_set(e,
		    "nesterov: needs a momentum and no dampening");
	o->nesterov = f->nesterov;
	o->centered = f->centered;
	return 0;
}
