/*
 * The actions of gc-info that inspect an IPU: they take the device meanwhile,
 * and are refused while a program uses it.
 */
#include <stdio.h>

#include "applets/gc-info/gc-info_internal.h"
#include "core/base/clock.h"
#include "ipu/device/device.h"

/* The checked arguments. */
struct silicon_question {
	struct tile_query query;
	struct tile_range range;
};

static int
read_question(const struct info_request *r, struct silicon_question *q,
    struct error *e)
{
	if (r->action == KEY_TILE_STATUS)
		return tile_state_query(&q->query, r->tile, r->context,
		    r->tile_register, e);
	if (r->action == KEY_DUMP_MEM)
		return tile_state_range(&q->range, r->tile, r->operands[0],
		    r->operands[1], e);
	return 0;
}

int
silicon_check(const struct info_request *r, struct error *e)
{
	struct silicon_question q;

	return read_question(r, &q, e);
}

/* Print the memory.  The engine keeps no image of a tile's memory; after a
   reset it is 0. */
static int
show_memory(const struct silicon_question *q, const struct ipu_slot *slot,
    struct error *e)
{
	if (tile_state_of(slot) != TILE_AT_REST)
		return error_set(e,
		    "the memory of tile %d is lost because the last program "
		    "did not end properly; the next program that attaches "
		    "resets it",
		    q->range.tile);
	tile_state_memory(&q->range, stdout);
	return 0;
}

static int
show_ipu(const struct info_request *r, const struct silicon_question *q,
    const struct exclusive *x, int index, struct error *e)
{
	const int ipu = exclusive_ipu(x, index);
	const struct ipu_slot *slot = &x->before[index];
	const struct soc_view view = { .pod = x->pod,
		.partition = x->partition,
		.slot = slot,
		.versions = &r->versions,
		.ipu = ipu,
		.routing_id = x->device.first + index,
		.now_ms = clock_real_ms() };

	switch (r->action) {
	case KEY_TILE_OVERVIEW:
		tile_state_overview(tile_state_of(slot), stdout,
		    request_columns(r));
		break;
	case KEY_TILE_STATUS:
		tile_state_registers(slot, x->clock_mhz[index], &q->query,
		    stdout);
		break;
	case KEY_DUMP_MEM:
		return show_memory(q, slot, e);
	case KEY_XB_STATUS:
		puts("XB Status:");
		soc_status_exchange(&view, stdout);
		break;
	case KEY_NLC_STATUS:
		puts("NLC Status:");
		soc_status_links(&view, stdout);
		break;
	case KEY_GSP_STATUS:
		puts("GSP Status:");
		soc_status_sync(&view, stdout);
		break;
	default:
		puts("PCI Status:");
		soc_status_pci(&view, stdout);
	}
	return 0;
}

/* Print the IPUs of a group in order, each under its id. */
static int
show_all(const struct info_request *r, const struct silicon_question *q,
    const struct exclusive *x, struct error *e)
{
	int i, status = 0;

	for (i = 0; i < x->device.count && status == 0; i++) {
		if (x->device.count > 1)
			printf("%sIPU %d:\n", i > 0 ? "\n" : "",
			    x->device.first_id + i);
		status = show_ipu(r, q, x, i, e);
	}
	return status;
}

int
silicon_show(const struct info_request *r, const struct visible_devices *v,
    struct error *e)
{
	struct silicon_question q = { .range.tile = 0 };
	struct exclusive x;
	struct device device;
	int status;

	if (read_question(r, &q, e) != 0 ||
	    request_device(r, v, &device, e) != 0 ||
	    exclusive_begin(&x, v, &device, "gc-info", e) != 0)
		return -1;
	status = show_all(r, &q, &x, e);
	exclusive_end(&x);
	return status;
}
