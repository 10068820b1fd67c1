/* quantity: suffixes, exponents, rounding, and what is refused. */
#include <stddef.h>
#include <stdint.h>

#include "core/base/alloc.h"
#include "core/kube/schema/schema.h"
#include "tests/unit/tap.h"

static void
check_values(void)
{
	static const struct {
		const char *text;
		int64_t whole;
		int64_t thousandths;
	} vectors[] = {
		{ "0", 0, 0 },
		{ "1", 1, 1000 },
		{ "32", 32, 32000 },
		{ "+3", 3, 3000 },
		{ "0032", 32, 32000 },
		/* rounded up */
		{ "0.5", 1, 500 },
		{ ".5", 1, 500 },
		{ "5.", 5, 5000 },
		{ "1.0001", 2, 1001 },
		{ "0.0001", 1, 1 },
		{ "2.0", 2, 2000 },
		{ "500m", 1, 500 },
		{ "1500m", 2, 1500 },
		{ "1000m", 1, 1000 },
		{ "0.5m", 1, 1 },
		{ "1u", 1, 1 },
		{ "1n", 1, 1 },
		{ "1000000n", 1, 1 },
		{ "2000000000n", 2, 2000 },
		{ "1e-30", 1, 1 },
		{ "0e-30", 0, 0 },
		{ "0n", 0, 0 },
		/* powers of 1000 */
		{ "1k", 1000, 1000000 },
		{ "1.5k", 1500, 1500000 },
		{ "2M", 2000000, 2000000000 },
		{ "1G", 1000000000, 1000000000000 },
		{ "1T", 1000000000000, 1000000000000000 },
		{ "9P", 9000000000000000, 9000000000000000000 },
		/* powers of 1024 */
		{ "1Ki", 1024, 1024000 },
		{ "0.5Ki", 512, 512000 },
		{ "0.3Ki", 308, 307200 },
		{ "10Gi", 10737418240, 10737418240000 },
		{ "200Gi", 214748364800, 214748364800000 },
		{ "0.1Gi", 107374183, 107374182400 },
		{ "1Ti", 1099511627776, 1099511627776000 },
		{ "1Mi", 1048576, 1048576000 },
		{ "8Pi", 9007199254740992, 9007199254740992000 },
		/* exponents */
		{ "1e3", 1000, 1000000 },
		{ "1E3", 1000, 1000000 },
		{ "12e+2", 1200, 1200000 },
		{ "15e-1", 2, 1500 },
		{ "1.5e1", 15, 15000 },
		{ "0e999999999999", 0, 0 },
		/* the largest */
		{ "9223372036854775.8", 9223372036854776, 9223372036854775800 },
	};
	struct error e;
	int64_t value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		value = -1;
		is_int(quantity_parse(vectors[i].text, &value, &e), 0,
		    vectors[i].text);
		is_int(value, vectors[i].thousandths, "in thousandths");
		is_int(quantity_parse_whole(vectors[i].text, &value, &e), 0,
		    vectors[i].text);
		is_int(value, vectors[i].whole, "in whole units");
	}
}

/* More than fits as thousandths, and fits as a whole. */
static void
check_large(void)
{
	static const struct {
		const char *text;
		int64_t whole;
	} vectors[] = {
		{ "10P", 10000000000000000 },
		{ "9E", 9000000000000000000 },
		{ "7Ei", 8070450532247928832 },
		{ "0.75Ei", 864691128455135232 },
		{ "1e18", 1000000000000000000 },
	};
	struct error e;
	int64_t value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		is_int(quantity_parse_whole(vectors[i].text, &value, &e), 0,
		    vectors[i].text);
		is_int(value, vectors[i].whole, "in whole units");
		is_int(quantity_parse(vectors[i].text, &value, &e), -1,
		    "too large in thousandths");
	}
}

static void
check_refused(void)
{
	static const struct {
		const char *text;
		const char *reason;
	} vectors[] = {
		{ "", "'' is not a quantity, such as 200Gi, 32 or 500m" },
		{ ".", "'.' is not a quantity, such as 200Gi, 32 or 500m" },
		{ "Gi", "'Gi' is not a quantity, such as 200Gi, 32 or 500m" },
		{ "1 Gi",
		    "'1 Gi' is not a quantity, such as 200Gi, 32 or 500m (did "
		    "you mean 1Gi?)" },
		{ " 1", "' 1' is not a quantity, such as 200Gi, 32 or 500m" },
		{ "1.2.3",
		    "'1.2.3' is not a quantity, such as 200Gi, 32 or 500m" },
		{ "1e",
		    "'1e' is not a quantity, such as 200Gi, 32 or 500m (did "
		    "you mean 1E?)" },
		{ "1e+", "'1e+' is not a quantity, such as 200Gi, 32 or 500m" },
		{ "1e3k",
		    "'1e3k' is not a quantity, such as 200Gi, 32 or 500m" },
		{ "0x10",
		    "'0x10' is not a quantity, such as 200Gi, 32 or 500m" },
		{ "200GB",
		    "'200GB' is not a quantity, such as 200Gi, 32 or 500m (did "
		    "you mean 200G?)" },
		{ "200GiB",
		    "'200GiB' is not a quantity, such as 200Gi, 32 or 500m "
		    "(did you mean 200Gi?)" },
		{ "200gi",
		    "'200gi' is not a quantity, such as 200Gi, 32 or 500m (did "
		    "you mean 200Gi?)" },
		{ "1.5gb",
		    "'1.5gb' is not a quantity, such as 200Gi, 32 or 500m (did "
		    "you mean 1.5G?)" },
		{ "64K",
		    "'64K' is not a quantity, such as 200Gi, 32 or 500m (did "
		    "you mean 64k?)" },
		{ "64KB",
		    "'64KB' is not a quantity, such as 200Gi, 32 or 500m (did "
		    "you mean 64k?)" },
		{ "3 cores",
		    "'3 cores' is not a quantity, such as 200Gi, 32 or 500m" },
		{ "-1", "'-1' is negative" },
		{ "-500m", "'-500m' is negative" },
		{ "1234567890123456789",
		    "'1234567890123456789' has more than 18 digits" },
		{ "0.0000000000000000001",
		    "'0.0000000000000000001' has more than 18 digits" },
		{ "10E", "'10E' is too large" },
		{ "9Ei", "'9Ei' is too large" },
		{ "8Ei", "'8Ei' is too large" },
		{ "1e19", "'1e19' is too large" },
		{ "1e999999999999", "'1e999999999999' is too large" },
		{ "999999999999999999k", "'999999999999999999k' is too large" },
	};
	struct error e;
	int64_t value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		e.code = ERROR_NONE;
		is_int(quantity_parse_whole(vectors[i].text, &value, &e), -1,
		    vectors[i].text);
		is_str(e.text, vectors[i].reason, "its reason");
		is_int(e.code, ERROR_INVALID, "its code");
	}
	is_int(quantity_parse("x", &value, NULL), -1,
	    "a reason that nobody wants");
}

int
main(void)
{
	check_values();
	check_large();
	check_refused();
	return tap_done();
}
