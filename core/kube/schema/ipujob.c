/*
 * From the object of an IPUJob to the numbers and names needed to run it.
 */

#include <bsd/string.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/parse.h"
#include "core/kube/schema/schema.h"

/* Limit of the operator and of EIDF's guide: longer names fail to attach. */
enum { IPUJOB_NAME_MAX = 36 };

enum {
	GENERATED = 5,	   /* characters added to a generateName */
	BACKOFF_LIMIT = 3, /* the CRD's default */
	EXIT_CODE_MAX = 255
};

int
ipujob_parse_ipus(const char *text, int *ipus, struct error *e)
{
	long long value;
	int below = 1;

	if (parse_number("", text, 1, IPUJOB_IPUS_MAX, &value, NULL) != 0)
		return error_set_code(e, ERROR_INVALID,
		    "must be a power of two from 1 to %d, not '%s'",
		    IPUJOB_IPUS_MAX, text);
	if (!bits_is_power_of_two((unsigned long)value)) {
		while (below * 2 < value)
			below *= 2;
		return error_set_code(e, ERROR_INVALID,
		    "must be a power of two from 1 to %d, not '%s' (%d and %d "
		    "are the nearest)",
		    IPUJOB_IPUS_MAX, text, below, below * 2);
	}
	*ipus = (int)value;
	return 0;
}

int
ipujob_parse_count(const char *text, int *count, struct error *e)
{
	long long value;

	if (parse_number("", text, 1, IPUJOB_COUNT_MAX, &value, NULL) != 0)
		return error_set_code(e, ERROR_INVALID,
		    "must be a number from 1 to %d, not '%s'", IPUJOB_COUNT_MAX,
		    text);
	*count = (int)value;
	return 0;
}

/* Read an integer of at least `min`, or use `otherwise`. */
static int
read_integer(const struct yaml_node *object, const char *path, int min,
    int otherwise, int *value, struct error *e)
{
	const int64_t integer = yaml_get_integer(object, path, otherwise);

	if (integer < min || integer > IPUJOB_COUNT_MAX)
		return error_set_code(e, ERROR_INVALID,
		    "must be a number from %d to %d, not %lld", min,
		    IPUJOB_COUNT_MAX, (long long)integer);
	*value = (int)integer;
	return 0;
}

/* Read a number stored as a text; a missing one leaves the value unchanged. */
static int
read_count(const struct yaml_node *object, const char *path, int *value,
    struct error *e)
{
	const char *text = yaml_get_text(object, path);

	return text == NULL ? 0 : ipujob_parse_count(text, value, e);
}

static int
read_ipus(const struct yaml_node *object, const char *path, int *value,
    struct error *e)
{
	const char *text = yaml_get_text(object, path);

	if (text == NULL)
		return error_set_code(e, ERROR_INVALID, "missing");
	return ipujob_parse_ipus(text, value, e);
}

/* Put the path before the error; keys are joined by '/' in yaml.h and by '.' in
   messages. */
static int
fail_at(const char *path, struct error *e)
{
	char dotted[128];

	(void)strlcpy(dotted, path, sizeof(dotted));
	return error_prefix(e, "%s", yaml_dotted(dotted));
}

static int
read_job_numbers(const struct yaml_node *object, struct ipujob *job,
    struct error *e)
{
	const char *path = "spec/jobInstances";

	if (read_integer(object, path, 1, 0, &job->instances, e) != 0)
		return fail_at(path, e);
	path = "spec/ipusPerJobInstance";
	if (read_ipus(object, path, &job->ipus, e) != 0)
		return fail_at(path, e);
	path = "spec/workers/replicas";
	if (read_integer(object, path, 1, 1, &job->workers, e) != 0)
		return fail_at(path, e);
	path = "spec/workersPerJobInstance";
	if (read_count(object, path, &job->workers, e) != 0)
		return fail_at(path, e);
	path = "spec/modelReplicasPerWorker";
	if (read_count(object, path, &job->model_replicas, e) != 0)
		return fail_at(path, e);
	path = "spec/restartPolicy/backOffLimit";
	if (read_integer(object, path, 0, BACKOFF_LIMIT, &job->backoff_limit,
		e) != 0)
		return fail_at(path, e);
	return 0;
}

/* Read the index of a word; a missing one leaves the value unchanged. */
static int
ipujob_read_word(const struct yaml_node *object, const char *path,
    const char *words, int *value, struct error *e)
{
	const char *text = yaml_get_text(object, path);

	if (text == NULL || suggest_choose("", text, words, value, NULL) == 0)
		return 0;
	(void)error_set_code(e, ERROR_INVALID, "must be %s, not '%s'", words,
	    text);
	return fail_at(path, e);
}

/* Return the object there; NULL: missing or null. */
static const struct yaml_node *
ipujob_find_object(const struct yaml_node *object, const char *path)
{
	const struct yaml_node *node = yaml_path(object, path);

	return node != NULL && node->kind == YAML_MAP ? node : NULL;
}

static int
read_policies(const struct yaml_node *object, struct ipujob *job,
    struct error *e)
{
	int clean = CLEAN_NONE, restart = RESTART_NEVER;

	if (ipujob_read_word(object, "spec/cleanPodPolicy",
		"None, All or Workers", &clean, e) != 0 ||
	    ipujob_read_word(object, "spec/restartPolicy/type",
		"Always, OnFailure, Never or ExitCode", &restart, e) != 0)
		return -1;
	job->clean = (enum ipujob_clean)clean;
	job->restart = (enum ipujob_restart)restart;
	job->exit_codes = yaml_get_text(object, "spec/restartPolicy/exitCodes");
	if (job->exit_codes != NULL &&
	    ipujob_check_exit_codes(job->exit_codes, e) != 0)
		return fail_at("spec/restartPolicy/exitCodes", e);
	if (job->exit_codes != NULL && restart != RESTART_EXIT_CODE)
		return error_set_code(e, ERROR_INVALID,
		    "spec.restartPolicy.exitCodes: allowed only with type "
		    "ExitCode");
	job->ttl_seconds = yaml_get_integer(object, "spec/interactive/ttl", -1);
	if (job->ttl_seconds < 0 &&
	    ipujob_find_object(object, "spec/interactive") != NULL)
		return error_set_code(e, ERROR_INVALID,
		    "spec.interactive.ttl: must be a number of seconds");
	return 0;
}

int
ipujob_read(const struct yaml_node *object, const char *space,
    struct ipujob *job, struct error *e)
{
	const char *name = yaml_get_text(object, "metadata/name");

	memset(job, 0, sizeof(*job));
	job->name = name == NULL ? "" : name;
	job->space = space;
	if (name != NULL && ipujob_check_name(name, e) != 0)
		return error_prefix(e, "metadata.name");
	if (read_job_numbers(object, job, e) != 0 ||
	    read_policies(object, job, e) != 0)
		return -1;
	job->launcher = ipujob_find_object(object, "spec/launcher");
	job->template = ipujob_find_object(object, "spec/workers/template");
	if (job->template == NULL)
		return error_set_code(e, ERROR_INVALID,
		    "spec.workers.template: missing");
	return 0;
}

void
ipujob_worker_name(const struct ipujob *job, int instance, int worker,
    char name[IPUJOB_NAME_SIZE])
{
	(void)snprintf(name, IPUJOB_NAME_SIZE, "%s-worker-%d", job->name,
	    instance * job->workers + worker);
}

void
ipujob_launcher_name(const struct ipujob *job, int instance,
    char name[IPUJOB_NAME_SIZE])
{
	if (instance == 0)
		(void)snprintf(name, IPUJOB_NAME_SIZE, "%s-launcher",
		    job->name);
	else
		(void)snprintf(name, IPUJOB_NAME_SIZE, "%s-launcher-%d",
		    job->name, instance);
}

void
ipujob_partition_name(const struct ipujob *job, int instance,
    char name[IPUJOB_NAME_SIZE])
{
	(void)snprintf(name, IPUJOB_NAME_SIZE, "p-%s-%s-%d", job->name,
	    job->space, instance);
}

/* Read digits; those beyond the largest exit status are ignored. */
static const char *
read_code(const char *text, int *code)
{
	if (!isdigit((unsigned char)*text))
		return NULL;
	for (*code = 0; isdigit((unsigned char)*text); text++)
		if (*code <= EXIT_CODE_MAX)
			*code = *code * 10 + (*text - '0');
	return text;
}

/* Read "130" or "1-127" at the start of a text; return the rest. */
static const char *
read_codes(const char *text, int *low, int *high)
{
	text = read_code(text, low);
	if (text == NULL)
		return NULL;
	*high = *low;
	return *text == '-' ? read_code(text + 1, high) : text;
}

int
ipujob_check_exit_codes(const char *text, struct error *e)
{
	const char *at = text;
	int low, high;

	for (;; at++) {
		at = read_codes(at, &low, &high);
		if (at == NULL || (*at != ',' && *at != '\0'))
			return error_set_code(e, ERROR_INVALID,
			    "must be numbers and ranges separated by commas, "
			    "such as 1-127,130, not '%s'",
			    text);
		if (low > high || high > EXIT_CODE_MAX)
			return error_set_code(e, ERROR_INVALID,
			    "'%s': exit codes are from 0 to %d, and each range "
			    "must ascend",
			    text, EXIT_CODE_MAX);
		if (*at == '\0')
			return 0;
	}
}

bool
ipujob_is_retried(const struct ipujob *job, int status)
{
	const char *at = job->exit_codes;
	int low, high;

	if (at == NULL)
		return status >= 128 && status <= EXIT_CODE_MAX;
	while ((at = read_codes(at, &low, &high)) != NULL) {
		if (status >= low && status <= high)
			return true;
		if (*at++ != ',')
			break;
	}
	return false;
}

int
ipujob_check_name(const char *name, struct error *e)
{
	if (dns_name_check_subdomain(name, DNS_SUBDOMAIN_MAX, e) != 0)
		return -1;
	return strlen(name) <= IPUJOB_NAME_MAX ?
	    0 :
	    error_set_code(e, ERROR_INVALID,
		"'%s': has %zu characters, but at most %d are allowed; "
		"programs of a job with a longer name fail to attach to its "
		"IPUs",
		name, strlen(name), IPUJOB_NAME_MAX);
}

int
ipujob_check_generate_name(const char *begin, struct error *e)
{
	const uint8_t zeros[GENERATED] = { 0 };
	char name[IPUJOB_NAME_SIZE];

	ipujob_generate_name(begin, zeros, name);
	if (dns_name_check_subdomain(name, DNS_SUBDOMAIN_MAX, NULL) != 0)
		return error_set_code(e, ERROR_INVALID,
		    "'%s': must begin with a letter or a digit, and have only "
		    "lower case letters, digits, '-' and '.'",
		    begin);
	return strlen(name) <= IPUJOB_NAME_MAX ?
	    0 :
	    error_set_code(e, ERROR_INVALID,
		"'%s': has %zu characters and gets %d more, but at most %d are "
		"allowed; programs of a job with a longer name fail to attach "
		"to its IPUs",
		begin, strlen(begin), GENERATED, IPUJOB_NAME_MAX);
}

/* The letters form no words: no vowels, and no letters that look alike. */
void
ipujob_generate_name(const char *begin, const uint8_t random[5],
    char name[IPUJOB_NAME_SIZE])
{
	static const char letters[] = "bcdfghjklmnpqrstvwxz2456789";
	char end[GENERATED + 1];
	int i;

	for (i = 0; i < GENERATED; i++)
		end[i] = letters[random[i] % (sizeof(letters) - 1)];
	end[GENERATED] = '\0';
	(void)strlcpy(name, begin, IPUJOB_NAME_SIZE - GENERATED);
	(void)strlcat(name, end, IPUJOB_NAME_SIZE);
}
