/* Device ids and groups, and the listings made of them. */
#include "ipu/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

/* 16 machines in one ILD of 64; partitions start at its first IPU. */
static struct agent agents[16];
static struct cluster cluster = { .name = "cl0",
	.agent_count = 16,
	.ild_count = 1 };
static struct pod pod = { .agent_count = 16,
	.cluster_count = 1,
	.agents = agents,
	.clusters = &cluster };

static void
make_pod(void)
{
	int i;

	for (i = 0; i < 16; i++)
		(void)snprintf(agents[i].address, sizeof(agents[i].address),
		    "10.1.5.%d", i + 1);
}

static struct partition
make(int size, int gcds, bool reconfigurable)
{
	struct partition p;

	memset(&p, 0, sizeof(p));
	(void)snprintf(p.name, sizeof(p.name), "p1");
	p.placement.ild_count = 1;
	p.placement.per_ild = size;
	p.num_gcds = gcds;
	p.reconfigurable = reconfigurable;
	return p;
}

/* The groups of a view as text: "4=0-1 5=2-3". */
static const char *
groups(const struct partition *p, int gcd)
{
	static char text[8192];
	struct device *d;
	size_t length = 0;
	int i, n = device_list(p, gcd, &d);

	text[0] = '\0';
	for (i = 0; i < n; i++)
		if (d[i].count > 1)
			length += (size_t)snprintf(text + length,
			    sizeof(text) - length, "%s%d=%d-%d",
			    length > 0 ? " " : "", d[i].id, d[i].first,
			    d[i].first + d[i].count - 1);
	free(d);
	return text;
}

static void
test_groups(void)
{
	static const struct {
		int size, gcds, gcd;
		bool reconfigurable;
		int devices;
		const char *groups;
	} rows[] = {
		{ 1, 1, -1, false, 1, "" },
		{ 1, 1, -1, true, 1, "" },
		{ 2, 1, -1, false, 3, "3=0-1" },
		{ 2, 1, 0, false, 3, "3=0-1" },
		{ 2, 1, -1, true, 3, "2=0-1" },
		{ 4, 1, -1, false, 5, "4=0-3" },
		{ 4, 1, -1, true, 7, "4=0-1 5=2-3 6=0-3" },
		{ 4, 1, 0, true, 7, "4=0-1 5=2-3 6=0-3" },
		{ 4, 2, -1, false, 6, "4=0-1 5=2-3" },
		{ 4, 2, 0, false, 3, "2=0-1" },
		{ 4, 2, 1, false, 3, "2=2-3" },
		{ 2, 2, -1, false, 2, "" },
		{ 2, 2, 1, false, 1, "" },
		{ 8, 4, -1, false, 12, "8=0-1 9=2-3 10=4-5 11=6-7" },
		{ 16, 1, -1, true, 31,
		    "16=0-1 17=2-3 18=4-5 19=6-7 20=8-9 21=10-11 22=12-13 "
		    "23=14-15 24=0-3 25=4-7 26=8-11 27=12-15 28=0-7 29=8-15 "
		    "30=0-15" },
		{ 64, 1, -1, false, 65, "64=0-63" },
	};
	struct partition p;
	struct device *d;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		p = make(rows[i].size, rows[i].gcds, rows[i].reconfigurable);
		is_int(device_list(&p, rows[i].gcd, &d), rows[i].devices,
		    "number of devices");
		is_str(groups(&p, rows[i].gcd), rows[i].groups, "groups");
		free(d);
	}
	p = make(64, 1, true);
	is_int(device_list(&p, -1, &d), 127, "64 reconfigurable: 127");
	is_int(d[126].id, 126, "the last is 126");
	is_int(d[126].count, 64, "and holds all");
	free(d);
}

static void
test_by_id(void)
{
	struct partition p = make(4, 2, false);
	struct device d;

	is_int(device_by_id(&p, -1, 5, &d), 0, "device 5 of two GCDs");
	is_int(d.first, 2, "begins at routing id 2");
	is_int(d.gcd, 1, "is GCD 1");
	ok(device_attachable(&p, &d), "and may be attached to");
	is_int(device_by_id(&p, -1, 6, &d), -1, "there is no device 6");
	is_int(device_by_id(&p, -1, -1, &d), -1, "nor -1");
	is_int(device_by_id(&p, 1, 0, &d), 0, "device 0 of the second GCD");
	is_int(d.first, 2, "is IPU 2 of the partition");
	is_int(d.gcd, 1, "and of GCD 1");
	ok(!device_attachable(&p, &d), "but no device of its own");
	p = make(2, 1, false);
	is_int(device_by_id(&p, -1, 2, &d), -1, "size 2 has no device 2");
	is_int(device_by_id(&p, -1, 3, &d), 0, "but 3, as the guide prints");
}

static void
test_find(void)
{
	struct partition p = make(2, 1, false);
	struct device d;
	struct error e;

	(void)snprintf(p.name, sizeof(p.name), "two");
	ok(device_find(&p, -1, 3, &d, &e) == 0 && d.count == 2, "a group");
	is_int(device_find(&p, -1, 2, &d, &e), -1, "no device 2");
	is_str(e.text, "no device 2: partition two has devices 0-1, 3",
	    "those there are, as ranges");
	is_int(e.code, ERROR_NOT_FOUND, "not found");
	p = make(1, 1, false);
	(void)snprintf(p.name, sizeof(p.name), "one");
	is_int(device_find(&p, -1, 1, &d, &e), -1, "no device 1");
	is_str(e.text, "no device 1: partition one has devices 0", "one alone");
}

static void
test_for_instance(void)
{
	static const struct {
		int size, gcds, gcd, ipus, instance;
		bool reconfigurable;
		int id; /* -1: refused */
		const char *reason;
	} rows[] = {
		{ 4, 1, -1, 4, 0, false, 4, "" },
		{ 4, 1, 0, 4, 0, false, 4, "" },
		{ 1, 1, -1, 1, 0, false, 0, "" },
		{ 8, 2, -1, 4, 1, false, 9, "" },
		{ 8, 2, 1, 4, 1, false, 4, "" },
		{ 8, 2, 0, 4, 0, false, 4, "" },
		{ 2, 2, -1, 1, 1, false, 1, "" },
		{ 16, 1, -1, 4, 2, true, 26, "" },
		{ 16, 1, -1, 1, 5, true, 5, "" },
		{ 16, 1, -1, 16, 0, true, 30, "" },
		{ 16, 1, -1, 8, 2, true, -1,
		    "no device is left for instance 2: partition p1 has 2 of 8 "
		    "IPU(s), one for each instance" },
		{ 8, 2, -1, 4, 2, false, -1,
		    "no device is left for instance 2: partition p1 has 2 of 4 "
		    "IPU(s), one for each instance" },
		{ 4, 1, -1, 3, 0, true, -1,
		    "the number of IPUs in a device is a power of two; for 3 "
		    "use 4" },
		{ 4, 1, -1, 8, 0, true, -1, "partition p1 has only 4 IPU(s)" },
		{ 4, 1, -1, 2, 0, false, -1,
		    "partition p1 is preconfigured with 1 GCD(s) of 4 IPU(s), "
		    "and a program must use a whole GCD; create it with "
		    "--reconfigurable or with GCDs of 2 IPU(s)" },
	};
	struct partition p;
	struct device d;
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		p = make(rows[i].size, rows[i].gcds, rows[i].reconfigurable);
		d.id = -1;
		e.text[0] = '\0';
		is_int(device_for_instance(&p, rows[i].gcd, rows[i].ipus,
			   rows[i].instance, &d, &e),
		    rows[i].id < 0 ? -1 : 0, "device_for_instance");
		is_int(d.id, rows[i].id, "its device");
		is_str(e.text, rows[i].reason, "the reason");
	}
}

/* What gc-info prints for a view. */
static char *
list(const struct partition *p, int gcd, enum listing_style style)
{
	struct listing l;
	struct device *d;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int n = device_list(p, gcd, &d);

	listing_init(&l, &pod, style);
	listing_measure(&l, p, d, n, 0, NULL);
	listing_header(&l, out);
	if (style == LISTING_NEW)
		listing_partition(&l, out, p, true, NULL);
	listing_devices(&l, out, p, d, n, 0, NULL);
	(void)fclose(out);
	free(d);
	return text;
}

static void
test_new_listing(void)
{
	static const char wanted[] =
	    "Graphcore device listing:\n"
	    "Partition: p1 [active]\n"
	    "-+- Id: [0], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [3]\n"
	    "-+- Id: [1], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [2]\n"
	    "-+- Id: [2], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [1]\n"
	    "-+- Id: [3], target: [Fabric], IPU-M host: [10.1.5.1], IPU#: [0]\n"
	    "-+- Id: [4], target: [Multi IPU]\n"
	    " |--- Id: [0], DNC Id: [0], IPU-M host: [10.1.5.1], IPU#: [3]\n"
	    " |--- Id: [1], DNC Id: [1], IPU-M host: [10.1.5.1], IPU#: [2]\n"
	    "-+- Id: [5], target: [Multi IPU]\n"
	    " |--- Id: [2], DNC Id: [0], IPU-M host: [10.1.5.1], IPU#: [1]\n"
	    " |--- Id: [3], DNC Id: [1], IPU-M host: [10.1.5.1], IPU#: [0]\n"
	    "-+- Id: [6], target: [Multi IPU]\n"
	    " |--- Id: [0], DNC Id: [0], IPU-M host: [10.1.5.1], IPU#: [3]\n"
	    " |--- Id: [1], DNC Id: [1], IPU-M host: [10.1.5.1], IPU#: [2]\n"
	    " |--- Id: [2], DNC Id: [2], IPU-M host: [10.1.5.1], IPU#: [1]\n"
	    " |--- Id: [3], DNC Id: [3], IPU-M host: [10.1.5.1], IPU#: [0]\n";
	struct partition p = make(4, 1, true);
	char *text = list(&p, -1, LISTING_NEW);

	is_str(text, wanted, "the newer form, 4 reconfigurable");
	free(text);
	p = make(64, 1, false);
	text = list(&p, -1, LISTING_NEW);
	ok(strstr(text,
	       "\n-+- Id:  [0], target: [Fabric], IPU-M host:  [10.1.5.1], "
	       "IPU#: [3]\n") != NULL,
	    "right-aligned, narrow");
	ok(strstr(text,
	       "\n-+- Id: [63], target: [Fabric], IPU-M host: [10.1.5.16], "
	       "IPU#: [0]\n") != NULL,
	    "right-aligned, wide");
	ok(strstr(text,
	       "\n |--- Id:  [0], DNC Id:  [0], IPU-M host:  [10.1.5.1], IPU#: "
	       "[3]\n") != NULL,
	    "members as well");
	free(text);
}

static void
test_old_listing(void)
{
	struct partition p = make(16, 1, false);
	char *text = list(&p, -1, LISTING_OLD);
	enum listing_style style;
	struct error e;

	ok(strncmp(text, "-+- Id:  [0], type:    [Fabric], PCI Domain: [3]\n",
	       48) == 0,
	    "the guide's form has no header");
	ok(strstr(text,
	       "\n-+- Id: [16], type: [Multi IPU]\n"
	       " |--- PCIe Id:  [0], DNC Id: [0], PCI Domain: [3]\n") != NULL,
	    "ids are right-aligned, except DNC ids");
	free(text);
	is_int(listing_style_parse("--style", "new", &style, &e), 0, "new");
	is_int(style, LISTING_NEW, "is the newer form");
	is_int(listing_style_parse("--style", "x", &style, &e), -1, "x");
	is_str(e.text, "--style 'x': must be old, mid or new", "is refused");
}

int
main(void)
{
	make_pod();
	test_groups();
	test_by_id();
	test_find();
	test_for_instance();
	test_new_listing();
	test_old_listing();
	return tap_done();
}
