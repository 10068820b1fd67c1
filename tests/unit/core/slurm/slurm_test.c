/* Licences of a job: the number of IPUs in Slurm's lists. */
#include "core/slurm/slurm.h"

#include "tests/unit/tap.h"

static const struct {
	const char *list;
	int status, ipus;
} rows[] = {
	{ "ipu:4", 0, 4 },
	{ "ipu:1,matlab:2", 0, 1 },
	{ "matlab:2,ipu:16", 0, 16 },
	{ "a:1;ipu:2", 0, 2 },
	{ "ipu:8 Network=(null)", 0, 8 },
	{ "(null) Network=ipu:8", 0, 0 },
	{ "", 0, 0 },
	{ "ipu", 0, 0 },
	{ "ipus:4", 0, 0 },
	{ "xipu:4", 0, 0 },
	{ "ipu@server:4", 0, 0 },
	{ "ipu:", -1, 0 },
	{ "ipu:0", -1, 0 },
	{ "ipu:-4", -1, 0 },
	{ "ipu:four", -1, 0 },
	{ "ipu:99999999999", -1, 0 },
};

int
main(void)
{
	struct error e;
	size_t i;
	int ipus;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		is_int(slurm_job_read_licences(rows[i].list, &ipus, &e),
		    rows[i].status, rows[i].list);
		if (rows[i].status == 0)
			is_int(ipus, rows[i].ipus, rows[i].list);
	}
	return tap_done();
}
