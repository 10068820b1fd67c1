/*
 * How the live view begins, and the entries of its menus.
 */
#include "applets/gc-monitor/watch_view.h"

#include <bsd/string.h>

#include <signal.h>
#include <string.h>

#include "core/base/alloc.h"

static const char *const sort_words[WATCH_SORTS] = { "id", "utilisation",
	"power", "temperature", "user", "command" };

static const struct {
	int signal;
	const char *name, *entry;
} signals[] = {
	{ SIGTERM, "SIGTERM", "SIGTERM: end" },
	{ SIGINT, "SIGINT", "SIGINT: interrupt, as Ctrl-C" },
	{ SIGKILL, "SIGKILL", "SIGKILL: end at once" },
	{ SIGHUP, "SIGHUP", "SIGHUP: hang up" },
	{ SIGSTOP, "SIGSTOP", "SIGSTOP: stop" },
	{ SIGCONT, "SIGCONT", "SIGCONT: continue" },
	{ SIGUSR1, "SIGUSR1", "SIGUSR1" },
	{ SIGUSR2, "SIGUSR2", "SIGUSR2" },
};

int
watch_view_signal(int index)
{
	return signals[index].signal;
}

const char *
watch_view_signal_name(int number)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(signals); i++)
		if (signals[i].signal == number)
			return signals[i].name;
	return "no signal";
}

const char *
watch_view_entry(enum watch_mode mode, const struct watch_sample *s, int index)
{
	switch (mode) {
	case MODE_SORT:
		return index < WATCH_SORTS ? sort_words[index] : NULL;
	case MODE_PARTITION:
		if (index == 0)
			return "all partitions";
		return index <= s->partition_count ?
		    s->partitions[index - 1].name :
		    NULL;
	case MODE_SIGNAL:
		return (size_t)index < ARRAY_SIZE(signals) ?
		    signals[index].entry :
		    NULL;
	default:
		return NULL;
	}
}

void
watch_view_init(struct watch_view *v, const struct watch_sample *s, bool all)
{
	int chosen, count;

	memset(v, 0, sizeof(*v));
	if (!all)
		(void)strlcpy(v->partition, s->active, sizeof(v->partition));
	chosen = watch_rows_partition(v, s);
	count = chosen == -1 ? s->count : s->partitions[chosen].count;
	v->fold = count >= WATCH_FOLD_FROM;
	v->failed = true;
	if (!all)
		(void)strlcpy(v->message, s->warning, sizeof(v->message));
}
