/* dns_name: which names Kubernetes takes. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/kube/schema/schema.h"
#include "tests/unit/tap.h"

#define LABEL \
	"must consist of lower case letters, digits and '-', with a letter " \
	"or a digit at both ends"
#define DOTTED \
	"must consist of lower case letters, digits, '-' and '.', with a " \
	"letter or a digit at both ends of each part"

static void
check_names(void)
{
	static const struct {
		const char *name;
		const char *label; /* why not; NULL: it is one */
		const char *subdomain;
	} vectors[] = {
		{ "a", NULL, NULL },
		{ "7", NULL, NULL },
		{ "bert-1", NULL, NULL },
		{ "a--b", NULL, NULL },
		{ "0a9", NULL, NULL },
		{ "a.b", "'a.b': " LABEL " (did you mean a-b?)", NULL },
		{ "a.b-c.0", "'a.b-c.0': " LABEL " (did you mean a-b-c-0?)",
		    NULL },
		{ "", "'': must not be empty", "'': must not be empty" },
		{ "-a", "'-a': " LABEL, "'-a': " DOTTED },
		{ "a-", "'a-': " LABEL, "'a-': " DOTTED },
		{ "-", "'-': " LABEL, "'-': " DOTTED },
		{ ".", "'.': " LABEL, "'.': " DOTTED },
		{ "a..b", "'a..b': " LABEL " (did you mean a--b?)",
		    "'a..b': " DOTTED },
		{ "a-.b", "'a-.b': " LABEL " (did you mean a--b?)",
		    "'a-.b': " DOTTED },
		{ "a.-b", "'a.-b': " LABEL " (did you mean a--b?)",
		    "'a.-b': " DOTTED },
		{ ".a", "'.a': " LABEL, "'.a': " DOTTED },
		{ "a.", "'a.': " LABEL, "'a.': " DOTTED },
		{ "Bert_1", "'Bert_1': " LABEL " (did you mean bert-1?)",
		    "'Bert_1': " DOTTED " (did you mean bert-1?)" },
		{ "my job", "'my job': " LABEL " (did you mean my-job?)",
		    "'my job': " DOTTED " (did you mean my-job?)" },
		{ "{{ .x }}", "'{{ .x }}': " LABEL, "'{{ .x }}': " DOTTED },
		{ "caf\303\251", "'caf\303\251': " LABEL,
		    "'caf\303\251': " DOTTED },
		{ "ten-letter", NULL, NULL },
		{ "more-letters",
		    "'more-letters': has 12 characters, but at most 10 are "
		    "allowed",
		    "'more-letters': has 12 characters, but at most 10 are "
		    "allowed" },
	};
	struct error e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		e.text[0] = '\0';
		is_int(dns_name_check_label(vectors[i].name, 10, &e),
		    vectors[i].label == NULL ? 0 : -1, vectors[i].name);
		is_str(e.text, vectors[i].label == NULL ? "" : vectors[i].label,
		    "as a label");
		e.text[0] = '\0';
		is_int(dns_name_check_subdomain(vectors[i].name, 10, &e),
		    vectors[i].subdomain == NULL ? 0 : -1, vectors[i].name);
		is_str(e.text,
		    vectors[i].subdomain == NULL ? "" : vectors[i].subdomain,
		    "as a subdomain");
	}
}

/* Variables and keys of ConfigMaps. */
static void
check_others(void)
{
	static const struct {
		const char *name;
		bool is_variable;
		bool is_key;
	} vectors[] = { { "A", true, true }, { "_a.B-9", true, true },
		{ "9a", false, true }, { ".a", true, true },
		{ "", false, false }, { ".", false, false },
		{ "..", false, false }, { "..data", false, false },
		{ "a b", false, false }, { "a/b", false, false },
		{ "a=b", false, false }, { "\303\244", false, false } };
	char long_key[DNS_SUBDOMAIN_MAX + 2];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		is_int(dns_name_is_variable(vectors[i].name),
		    vectors[i].is_variable, vectors[i].name);
		is_int(dns_name_is_key(vectors[i].name), vectors[i].is_key,
		    "as a key");
	}
	memset(long_key, 'a', sizeof(long_key));
	long_key[DNS_SUBDOMAIN_MAX + 1] = '\0';
	ok(!dns_name_is_key(long_key), "one character too many");
	long_key[DNS_SUBDOMAIN_MAX] = '\0';
	ok(dns_name_is_key(long_key), "as many as there may be");
}

int
main(void)
{
	check_names();
	check_others();
	return tap_done();
}
