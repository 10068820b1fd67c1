/*
 * The condition of a partition, an IPU or a device as a word and a sentence.
 * Pure functions: time is a parameter.
 *
 *	kind       word                             a device of several IPUs
 *	GOOD       available                        all of them are
 *	BUSY       in use                           one is
 *	ERROR      IPUSOFTERR; of several: errors   what any of them has
 *	PARTITION  PENDING, ERROR, REMOVING
 *	MACHINE    machine down, machine rebooting  one of them is
 */
#include "ipu/device/device.h"

#include <bsd/string.h>

#include <stdarg.h>
#include <stdio.h>

#include "core/base/text.h"
#include "core/pod/pod.h"
#include "core/state/state.h"
#include "ipu/device/listing.h"

static void condition_set(struct condition *, enum condition_kind,
    enum terminal_tone, const char *word, const char *, ...)
    __attribute__((format(printf, 5, 6)));

static void
condition_set(struct condition *c, enum condition_kind kind,
    enum terminal_tone tone, const char *word, const char *fmt, ...)
{
	va_list ap;

	c->kind = kind;
	c->tone = tone;
	(void)strlcpy(c->word, word, sizeof(c->word));
	va_start(ap, fmt);
	(void)vsnprintf(c->text, sizeof(c->text), fmt, ap);
	va_end(ap);
}

/* The words are constants: a large pod has 65,536 of them. */
void
condition_init(struct condition *c)
{
	c->kind = CONDITION_GOOD;
	c->tone = TONE_PLAIN;
	c->soc_errors = 0;
	(void)strlcpy(c->word, "available", sizeof(c->word));
	(void)strlcpy(c->text, "available", sizeof(c->text));
	(void)strlcpy(c->error_state, "no errors", sizeof(c->error_state));
}

/* Returns 0 if the machine answers. */
static int
check_machine(struct condition *c, const struct agent *a, int64_t now_ms)
{
	const bool reboots = a->state == MACHINE_REBOOTING;
	char word[CONDITION_WORD_SIZE];

	if (pod_machine_is_up(a, now_ms))
		return 0;
	(void)snprintf(word, sizeof(word), "machine %s",
	    reboots ? "rebooting" : "down");
	/* The errors of its IPUs cannot be read. */
	(void)strlcpy(c->error_state, word, sizeof(c->error_state));
	condition_set(c, CONDITION_MACHINE, reboots ? TONE_WARNING : TONE_BAD,
	    word, "IPU-Machine %s (%s) %s", a->name, a->address,
	    reboots ? "reboots" : "is down");
	return -1;
}

/* Returns 0 if the partition is active. */
static int
condition_check_state(struct condition *c, const struct partition *p)
{
	char reason[LAST_ERROR_SIZE];
	const char *word = p->state == PS_REMOVED ?
	    "REMOVING" :
	    partition_state_name(p->state);
	const bool passes = p->state == PS_PENDING || p->state == PS_REMOVED;

	if (p->state == PS_ACTIVE)
		return 0;
	text_printable(p->last_error, reason, sizeof(reason));
	if (c->soc_errors == 0)
		(void)snprintf(c->error_state, sizeof(c->error_state),
		    "partition %s", word);
	condition_set(c, CONDITION_PARTITION, passes ? TONE_WARNING : TONE_BAD,
	    word, "partition %s is in state %s%s%s", p->name, word,
	    reason[0] != '\0' ? ": " : "", reason);
	return -1;
}

void
condition_of_partition(struct condition *c, const struct partition *p,
    const struct pod *pod, int64_t now_ms)
{
	int i, machine, last = -1;

	condition_init(c);
	for (i = 0; i < partition_size(p); i++) {
		machine =
		    listing_ipu_machine(placement_ipu(pod, &p->placement, i));
		if (machine != last &&
		    check_machine(c, &pod->agents[machine], now_ms) != 0)
			return;
		last = machine;
	}
	(void)condition_check_state(c, p);
}

/* Write the names of the errors; the set is not empty. */
static void
name_errors(struct condition *c)
{
	soc_error_text(c->soc_errors, "", c->error_state,
	    sizeof(c->error_state));
}

/* Set the word and the text.  The word is short: it does not name several
   errors. */
static void
set_errors(struct condition *c)
{
	bool one = (c->soc_errors & (c->soc_errors - 1)) == 0;

	condition_set(c, CONDITION_ERROR, TONE_BAD,
	    one ? c->error_state : "errors", "SoC error%s %s; %s clears %s",
	    one ? "" : "s", c->error_state,
	    soc_error_remedy_name(soc_error_remedy(c->soc_errors)),
	    one ? "it" : "them");
}

/* Describe the holder without process id and command line, as the reader's
   process namespace is unknown. */
static void
set_busy(struct condition *c, const struct ipu_slot *holder)
{
	static const struct holder_place nowhere = {
		.reader = (uid_t)-1,
	};
	char text[HOLDER_TEXT_SIZE];

	holder_text(&nowhere, holder, text);
	condition_set(c, CONDITION_BUSY, TONE_WARNING, "in use", "in use by %s",
	    text);
}

void
condition_of_ipu(struct condition *c, const struct ipu_status *s,
    const struct partition *p, const struct pod *pod, int64_t now_ms)
{
	condition_init(c);
	c->soc_errors = s->soc_errors;
	if (s->soc_errors != 0)
		name_errors(c);
	if (check_machine(c, &pod->agents[listing_ipu_machine(s->ipu)],
		now_ms) != 0)
		return;
	if (p != NULL && condition_check_state(c, p) != 0)
		return;
	if (s->soc_errors != 0)
		set_errors(c);
	else if (s->attached)
		set_busy(c, &s->holder);
}

/* Errors can be read if the machine answers. */
void
condition_join(struct condition *device, const struct condition *ipu)
{
	const uint32_t errors = device->soc_errors | ipu->soc_errors;

	if (ipu->kind > device->kind)
		*device = *ipu;
	if (errors == device->soc_errors)
		return;
	device->soc_errors = errors;
	if (device->kind != CONDITION_MACHINE)
		name_errors(device);
	if (device->kind == CONDITION_ERROR)
		set_errors(device);
}
