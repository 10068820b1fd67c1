/*
 * The words of a partition's enumerations, in both directions, its sizes, and
 * its owner.
 */
#include "core/pod/partition.h"

#include <ctype.h>
#include <string.h>

#include "core/base/alloc.h"

/* Words of the enumerations in partition.h, in their order. */
static const char *const link_routings[] = { "UNDEFINED", "DNC", "SWNC", "BTNC",
	"RINGSWNC" };
static const char *const gateway_routings[] = { "UNDEFINED", "DEFAULT", "RING",
	"SWRING" };
static const char *const sync_types[] = { "undefined", "c2-compatible",
	"gs2-independent-rails", "pod-native-default",
	"pod-native-replicated-pipeline" };
/* Names of the sync types on the wire.  poprun --sync-type takes them too. */
static const char *const sync_constants[] = { "ST_UNDEFINED", "ST_GS2_DEFAULT",
	"ST_GS2_INDEPENDENT_RAILS", "ST_POD_NATIVE_DEFAULT",
	"ST_POD_NATIVE_REPLICATED_PIPELINE" };
static const char *const states[] = { "UNDEFINED", "PENDING", "ACTIVE",
	"REMOVED", "ERROR" };
static const char *const operations[] = { "UNDEFINED", "IDLE", "CREATING",
	"REMOVING", "RESETTING", "FAILED" };

#define COUNT(words) (ARRAY_SIZE(words))

/* Return the word, or "UNKNOWN" for a wrong value, which shared memory may
   hold. */
static const char *
word_of(const char *const *words, size_t count, int value)
{
	return value >= 0 && (size_t)value < count ? words[value] : "UNKNOWN";
}

/* Return true if both are equal, ignoring case, '-' and '_': "ring-swnc" is
   RINGSWNC. */
static bool
same_word(const char *a, const char *b)
{
	for (;; a++, b++) {
		a += strspn(a, "-_");
		b += strspn(b, "-_");
		if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return false;
		if (*a == '\0')
			return true;
	}
}

/* Return the value of a word, or -1.  The wire's prefix is optional: "IRT_DNC"
   is "dnc". */
static int
value_of(const char *const *words, size_t count, const char *prefix,
    const char *word)
{
	size_t i, len = strlen(prefix);

	if (strncasecmp(word, prefix, len) == 0)
		word += len;

	for (i = 0; i < count; i++)
		if (same_word(words[i], word))
			return (int)i;
	return -1;
}

const char *
partition_link_routing_name(int value)
{
	return word_of(link_routings, COUNT(link_routings), value);
}

const char *
partition_gateway_routing_name(int value)
{
	return word_of(gateway_routings, COUNT(gateway_routings), value);
}

const char *
partition_sync_type_name(int value)
{
	return word_of(sync_types, COUNT(sync_types), value);
}

const char *
partition_sync_type_constant(int value)
{
	return word_of(sync_constants, COUNT(sync_constants), value);
}

const char *
partition_state_name(int value)
{
	return word_of(states, COUNT(states), value);
}

const char *
partition_operation_name(int value)
{
	return word_of(operations, COUNT(operations), value);
}

/* Return the value, or -1 for an unknown word and for "UNDEFINED" (0), which
   cannot be requested. */
static int
asked_for(int value)
{
	return value > 0 ? value : -1;
}

int
partition_link_routing_parse(const char *word)
{
	return asked_for(value_of(link_routings, COUNT(link_routings), "IRT_",
	    word));
}

int
partition_gateway_routing_parse(const char *word)
{
	return asked_for(value_of(gateway_routings, COUNT(gateway_routings),
	    "GRT_", word));
}

/* Accept the wire's name or the command line's word. */
int
partition_sync_type_parse(const char *word)
{
	int value = value_of(sync_constants, COUNT(sync_constants), "", word);

	if (value == -1)
		value = value_of(sync_types, COUNT(sync_types), "", word);
	return asked_for(value);
}

int
partition_size(const struct partition *p)
{
	return p->placement.per_ild * p->placement.ild_count;
}

int
partition_gcd_size(const struct partition *p)
{
	return partition_size(p) / p->num_gcds;
}

bool
partition_same_owner(const struct partition *a, const struct partition *b)
{
	return strcmp(a->user, b->user) == 0 &&
	    (a->user[0] != '\0' || a->owner == b->owner);
}
