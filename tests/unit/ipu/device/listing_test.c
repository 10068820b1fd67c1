/* Listings of devices: the form in the middle, marks, and narrow terminals. */
#include "ipu/device/device.h"

#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "tests/unit/tap.h"

/* Two machines in one ILD, and a reconfigurable partition of two IPUs. */
static struct agent agents[2];
static struct cluster cluster = { .agent_count = 2, .ild_count = 1 };
static struct pod pod = { .agent_count = 2,
	.cluster_count = 1,
	.agents = agents,
	.clusters = &cluster };
static struct partition partition = { .name = "p1",
	.placement = { .ild_count = 1, .per_ild = 2 },
	.num_gcds = 1,
	.num_replicas = 1,
	.reconfigurable = 1 };

static const struct listing_mark marked_devices[] = { { NULL, TONE_PLAIN },
	{ "in use", TONE_WARNING }, { "in use", TONE_WARNING } };
static const struct listing_mark marked_ipus[] = { { NULL, TONE_PLAIN },
	{ "in use", TONE_WARNING } };
static const struct listing_marks marks = { marked_devices, marked_ipus };

static char *
list(enum listing_style style, int columns, bool colour,
    const struct listing_marks *m)
{
	struct listing l;
	struct device *d;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int n = device_list(&partition, -1, &d);

	listing_init(&l, &pod, style);
	l.columns = columns;
	l.colour = colour;
	listing_measure(&l, &partition, d, n, 0, m);
	listing_header(&l, out);
	listing_devices(&l, out, &partition, d, n, 0, m);
	(void)fclose(out);
	free(d);
	return text;
}

static void
test_mid(void)
{
	char *text = list(LISTING_MID, 0, false, NULL);

	is_str(text,
	    "Graphcore device listing:\n\n"
	    "-+- Id: [0], target: [Fabric], PCI Domain: [3]\n"
	    "-+- Id: [1], target: [Fabric], PCI Domain: [2]\n"
	    "-+- Id: [2], target: [Multi IPU]\n"
	    " |--- PCIe Id: [0], DNC Id: [0], PCI Domain: [3]\n"
	    " |--- PCIe Id: [1], DNC Id: [1], PCI Domain: [2]\n",
	    "SDK 2.1");
	free(text);
}

static void
test_marks(void)
{
	char *text = list(LISTING_OLD, 0, false, &marks);

	is_str(text,
	    "-+- Id: [0], type:    [Fabric], PCI Domain: [3]\n"
	    "-+- Id: [1], type:    [Fabric], PCI Domain: [2], [in use]\n"
	    "-+- Id: [2], type: [Multi IPU], [in use]\n"
	    " |--- PCIe Id: [0], DNC Id: [0], PCI Domain: [3]\n"
	    " |--- PCIe Id: [1], DNC Id: [1], PCI Domain: [2], [in use]\n",
	    "what is in use");
	free(text);
	text = list(LISTING_OLD, 0, true, &marks);
	ok(strstr(text,
	       "-+- Id: [2], type: [Multi IPU], [\033[33min use\033[0m]\n") !=
		NULL,
	    "in colour");
	free(text);
}

static size_t
longest_line(const char *text)
{
	size_t n, longest = 0;

	for (; *text != '\0'; text += n + (text[n] == '\n'))
		if ((n = strcspn(text, "\n")) > longest)
			longest = n;
	return longest;
}

static void
test_narrow(void)
{
	char *text;

	(void)strlcpy(agents[0].address, "2001:db8:1234:5678:9abc:def0:17:21",
	    sizeof(agents[0].address));
	text = list(LISTING_NEW, 80, false, NULL);
	is_int((long long)longest_line(text), 80, "80 columns");
	ok(strstr(text,
	       "-+- Id: [0], target: [Fabric], IPU-M host: "
	       "[...:5678:9abc:def0:17:21], IPU#: [3]\n") != NULL,
	    "its end is kept");
	free(text);
	text = list(LISTING_NEW, 80, false, &marks);
	is_int((long long)longest_line(text), 80, "80 columns with marks");
	ok(strstr(text, "[...:def0:17:21], IPU#: [2], [in use]\n") != NULL,
	    "the mark stays whole");
	free(text);
	text = list(LISTING_NEW, 20, false, NULL);
	ok(strstr(text, "-+- Id: [0], target: [Fabric], IPU#: [3]\n") != NULL &&
		strstr(text, " |--- Id: [1], DNC Id: [1], IPU#: [2]\n") != NULL,
	    "left out where nothing of use is left");
	free(text);
	text = list(LISTING_NEW, 0, false, NULL);
	ok(strstr(text, "[2001:db8:1234:5678:9abc:def0:17:21]") != NULL,
	    "whole where there is no terminal");
	free(text);
}

/* An IPU of the pod, whatever partition it is of, and the partition's line. */
static void
test_lines(void)
{
	static const struct listing_mark down = { "machine down", TONE_BAD };
	struct listing l;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)strlcpy(agents[0].address, "10.1.5.1", sizeof(agents[0].address));
	(void)strlcpy(agents[1].address, "10.1.5.12",
	    sizeof(agents[1].address));
	listing_init(&l, &pod, LISTING_NEW);
	listing_measure_ipu(&l, 3, 3);
	listing_measure_ipu(&l, 4, 14);
	listing_partition(&l, out, &partition, true, NULL);
	listing_partition(&l, out, &partition, false, NULL);
	listing_partition(&l, out, &partition, true, &down);
	listing_ipu(&l, out, 3, 3, &down);
	listing_ipu(&l, out, 4, 14, NULL);
	(void)fclose(out);
	is_str(text,
	    "Partition: p1 [active]\nPartition: p1\n"
	    "Partition: p1 [active, machine down]\n"
	    "-+- Id:  [3], target: [Fabric], IPU-M host:  [10.1.5.1], IPU#: "
	    "[0], [machine down]\n"
	    "-+- Id: [14], target: [Fabric], IPU-M host: [10.1.5.12], IPU#: "
	    "[3]\n",
	    "lines");
	free(text);
}

int
main(void)
{
	test_mid();
	test_marks();
	test_narrow();
	test_lines();
	return tap_done();
}
