/*
 * The set-up of a pod's container before its start.
 *
 * Source: the environment of pods in published logs of the IPU Operator.
 */
#include "core/kube/runner/runner_parts.h"

#include <sys/stat.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/files/directory.h"
#include "core/base/files/file.h"
#include "core/base/parse.h"
#include "core/kube/runtime/runtime.h"
#include "core/kube/sandbox/sandbox.h"
#include "core/process/process.h"
#include "core/state/sdk/sdk.h"
#include "core/state/state.h"

static const char mpi_directory[] = "/etc/mpi";
static const char hosts_file[] = "/etc/hosts";
static const char home_inside[] = "/root";
static const char profile_inside[] = "/etc/profile.d/ipubox.sh";
static const char usual_path[] =
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/* Variables of the caller that a pod keeps: they locate files on this host. */
static const char *const kept_variables[] = { "IPUBOX_EMULATE_SDK", "LANG",
	"LC_ALL", "TZ" };

/* Context of the questions that a plan asks. */
struct plan_context {
	struct job_runner *runner;
	struct yaml_arena *arena;
};

static struct yaml_node *
find_object(void *context, enum pod_reference kind, const char *name,
    struct error *e)
{
	struct plan_context *a = context;

	return job_store_read(a->runner->store, a->arena, a->runner->job.space,
	    kind == POD_SECRET ? JOB_SECRET : JOB_CONFIG_MAP, name, e);
}

static char *
find_place(void *context, enum job_place place, const char *name,
    struct error *e)
{
	struct plan_context *a = context;

	return job_store_place(a->runner->store, a->runner->job.space, place,
	    name, e);
}

/* Add the place of the SDK, found like poprun's --sdk; nothing if none is
   named. */
static void
add_sdk(struct strvec *environment)
{
	const struct sdk_list *list;
	struct sdk sdk;
	char directory[PATH_MAX], *value;

	if (settings_sdk(NULL, directory, NULL, NULL) != 0 ||
	    directory[0] == '\0' || sdk_open(&sdk, directory, NULL) != 0)
		return;
	strvec_addf(environment, "%s=%s", SDK_VARIABLE, sdk.directory);
	for (list = sdk_lists; list->name != NULL; list++) {
		value = sdk_list_value(&sdk, list, NULL, SDK_FIRST);
		if (value != NULL)
			strvec_addf(environment, "%s=%s", list->name, value);
		free(value);
	}
}

static void
add_partition(const struct job_runner *r, const struct runner_pod *p,
    struct strvec *environment)
{
	const struct runner_partition *partition =
	    &r->instances[p->instance]->partition;

	strvec_addf(environment, "IPUOF_VIPU_API_HOST=%s", partition->server);
	strvec_addf(environment, "IPUOF_VIPU_API_PORT=%d", partition->port);
	strvec_addf(environment, "IPUOF_VIPU_API_PARTITION_ID=%s",
	    partition->name);
	/* Each worker that runs separately has a separate GCD. */
	if (r->job.launcher == NULL && r->gcds > 1 && r->gcds == r->job.workers)
		strvec_addf(environment, "IPUOF_VIPU_API_GCD_ID=%d", p->worker);
}

static void
add_launcher(const char *mpi, struct strvec *environment)
{
	strvec_addf(environment, "OMPI_MCA_plm_rsh_agent=%s/kubexec.sh", mpi);
	strvec_addf(environment, "OMPI_MCA_orte_default_hostfile=%s/hostfile",
	    mpi);
	/* Names that a resolver does not know are passed on unchanged. */
	strvec_add(environment, "OMPI_MCA_orte_keep_fqdn_hostnames=true");
}

static void
pod_setup_make_environment(const struct job_runner *r,
    const struct runner_pod *p, const char *hostname, const char *registry,
    const char *mpi, struct strvec *environment)
{
	const char *search = variable_get("PATH");
	size_t i;

	strvec_init(environment);
	strvec_addf(environment, "PATH=%s/bin:%s", p->directory,
	    search != NULL ? search : usual_path);
	if (r->may_mount)
		strvec_addf(environment, "HOME=%s", home_inside);
	else
		strvec_addf(environment, "HOME=%s/home", p->directory);
	strvec_addf(environment, "HOSTNAME=%s", hostname);
	strvec_addf(environment, "%s=%s", SANDBOX_MEMBER_VARIABLE, p->uid);
	for (i = 0; i < sizeof(kept_variables) / sizeof(kept_variables[0]); i++)
		if (variable_get(kept_variables[i]) != NULL)
			strvec_addf(environment, "%s=%s", kept_variables[i],
			    variable_get(kept_variables[i]));
	strvec_addf(environment, "IPUBOX_STATE_DIR=%s", r->state);
	/* In a user namespace root's files seem to belong to an unknown user,
	   and are refused. */
	if (variable_get("IPUBOX_CONFIG") != NULL || geteuid() != 0)
		strvec_addf(environment, "IPUBOX_CONFIG=%s",
		    variable_get("IPUBOX_CONFIG") != NULL ?
			variable_get("IPUBOX_CONFIG") :
			"/dev/null");
	strvec_addf(environment, "IPUBOX_REGISTRY=%s", registry);
	add_sdk(environment);
	add_partition(r, p, environment);
	if (p->role == POD_LAUNCHER)
		add_launcher(mpi, environment);
}

/* Create the pod's directories, and the links with our tools' names in its
   PATH. */
static int
make_places(const struct job_runner *r, const char *directory, struct error *e)
{
	static const char *const names[] = { "bin", "home", "home-work",
		"upper", "volumes", "../../shm" };
	char *path;
	size_t i;
	int status = 0;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		path = xasprintf("%s/%s", directory, names[i]);
		if (mkdir(path, 0700) != 0 && errno != EEXIST)
			status = error_set_errno(e, "cannot make %s", path);
		free(path);
	}
	path = xasprintf("%s/bin", directory);
	if (status == 0)
		status = own_program_link_all(r->own_file, path, e);
	free(path);
	return status == 0 ? pod_files_write_profile(directory, e) : -1;
}

static struct container_volume *
add_volume(struct container_plan *plan, const char *name, const char *source,
    const char *target)
{
	struct container_volume *v;

	plan->volumes = xreallocarray(plan->volumes, plan->volume_count + 1,
	    sizeof(*plan->volumes));
	v = &plan->volumes[plan->volume_count++];
	*v = (struct container_volume){ .kind = POD_DIRECTORY,
		.name = xstrdup(name),
		.directory = xstrdup(source),
		.source = xstrdup(source),
		.target = xstrdup(target),
		.is_read_only = true };
	return v;
}

/*
 * Drop volumes in /sys and /proc: these belong to the kernel, so nothing can be
 * added to them.  On a host without the driver, a pod goes without the driver's
 * directory.
 */
static void
leave_out_of_kernel(struct job_runner *r, struct runner_pod *p)
{
	struct container_volume *v = p->plan.volumes;
	struct stat st;
	size_t i, kept = 0;

	for (i = 0; i < p->plan.volume_count; i++) {
		if ((strncmp(v[i].target, "/sys/", 5) != 0 &&
			strncmp(v[i].target, "/proc/", 6) != 0) ||
		    stat(v[i].target, &st) == 0) {
			v[kept++] = v[i];
			continue;
		}
		runner_event_add(r, "Normal", "VolumeLeftOut", p->name,
		    "volume %s: left out, because the kernel of this host has "
		    "no %s",
		    v[i].name, v[i].target);
		container_plan_drop_volume(&v[i]);
	}
	p->plan.volume_count = kept;
}

/* Mount this host's own directory in the pod's /root, which shows it but keeps
   the changes to it; false: that is not needed, or not possible. */
static bool
keep_in_home(const struct job_runner *r, struct container_volume *v)
{
	char *path;
	bool is_own;

	if (!r->may_mount ||
	    !container_volumes_is_within(v->target, home_inside) ||
	    (path = realpath(v->target, NULL)) == NULL)
		return false;
	is_own = strcmp(path, v->target) == 0;
	if (is_own) {
		free(v->directory);
		free(v->source);
		free(v->within);
		v->directory = xstrdup(path);
		v->source = xstrdup(path);
		v->within = NULL;
	}
	free(path);
	return is_own;
}

/*
 * Prepare substitutes of this host's paths, if no directory is open to pods.  A
 * path that is equal in the pod needs none if the pod has this host's root: it
 * is visible anyway.
 */
static void
choose_host_paths(struct job_runner *r, struct runner_pod *p, const char *own,
    bool is_host_root)
{
	struct container_volume *v = p->plan.volumes;
	const size_t length = strlen(own);
	struct stat st;
	size_t i, kept = 0;

	for (i = 0; i < p->plan.volume_count; i++) {
		if (v[i].within == NULL || strcmp(v[i].within, own) != 0) {
			v[kept++] = v[i];
			continue;
		}
		if (is_host_root && stat(v[i].target, &st) == 0 &&
		    strcmp(v[i].source + length, v[i].target) == 0) {
			if (S_ISDIR(st.st_mode) && keep_in_home(r, &v[i]))
				v[kept++] = v[i];
			else
				container_plan_drop_volume(&v[i]);
			continue;
		}
		runner_event_add(r, "Normal", "HostPathOwn", p->name,
		    "volume %s: %s replaces the hostPath, because ipubox.conf "
		    "has no host-paths",
		    v[i].name, v[i].directory);
		v[kept++] = v[i];
	}
	p->plan.volume_count = kept;
}

/* Report volumes with a substitute, so that users know why data is missing. */
static void
report_substitutes(struct job_runner *r, const struct runner_pod *p)
{
	const struct container_volume *v = p->plan.volumes;
	size_t i;

	for (i = 0; i < p->plan.volume_count; i++, v++)
		if (v->stands_for != NULL)
			runner_event_add(r, "Normal", "VolumeOwn", p->name,
			    "volume %s: %s replaces the %s volume", v->name,
			    v->directory, v->stands_for);
}

/* Whether the path or a parent is the mount point of a volume. */
static bool
lies_in_volume(const struct container_plan *plan, const char *path)
{
	size_t i;

	for (i = 0; i < plan->volume_count; i++)
		if (container_volumes_is_within(path, plan->volumes[i].target))
			return true;
	return false;
}

/*
 * Programs look up their host name to tell others where they listen: the pod's
 * hosts(5) has it.  An image without /etc gets no such file.
 */
static int
mount_hosts(const struct job_runner *r, struct runner_pod *p,
    const char *hostname, const char *root, struct error *e)
{
	char *etc = xasprintf("%s%s", root,
		 root[0] != '\0' ? "/etc" : hosts_file),
	     *path;
	struct stat st;
	const bool is_there = stat(etc, &st) == 0;

	free(etc);
	if (!r->may_mount || !is_there || lies_in_volume(&p->plan, hosts_file))
		return 0;
	if (pod_files_write_hosts(p->directory, hostname, e) != 0)
		return -1;
	path = xasprintf("%s/hosts", p->directory);
	add_volume(&p->plan, "hosts", path, hosts_file)->is_read_only = false;
	free(path);
	return 0;
}

/*
 * Give the pod its HOME, as the images have it.  On this host's root the pod's
 * own directory takes the changes to /root.  An image has a /root that takes
 * them anyway; there login shells find the tools by /etc/profile.d.
 */
static void
mount_home(const struct job_runner *r, struct runner_pod *p, const char *root)
{
	struct container_volume *v;
	char *home = xasprintf("%s/home", p->directory);
	char *profile = xasprintf("%s/.profile", home);

	if (r->may_mount && root[0] == '\0' &&
	    !lies_in_volume(&p->plan, home_inside)) {
		v = add_volume(&p->plan, "home", home, home_inside);
		v->is_read_only = false;
		v->work = xasprintf("%s/home-work", p->directory);
	} else if (r->may_mount && root[0] != '\0' &&
	    !lies_in_volume(&p->plan, profile_inside)) {
		(void)add_volume(&p->plan, "profile", profile, profile_inside);
	}
	if (p->plan.working == NULL)
		p->plan.working = r->may_mount ?
		    xstrdup(home_inside) :
		    xstrdup(home);
	free(profile);
	free(home);
}

/* Whether a command of this user can start there, or the obstacle is something
   other than existence and permission. */
static bool
is_usable(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return errno != ENOENT && errno != EACCES;
	return !S_ISDIR(st.st_mode) || access(path, X_OK) == 0 ||
	    errno != EACCES;
}

/*
 * Provide a working directory that is missing or closed to this user.  A
 * container runtime would create it; this host's files must stay unchanged, so
 * it is an empty directory of the pod, or the pod's home if mounting is not
 * allowed.
 */
static int
make_working(struct job_runner *r, struct runner_pod *p, const char *container,
    struct error *e)
{
	struct container_plan *plan = &p->plan;
	const char *why;
	char *path;
	int status = 0;

	if (plan->working == NULL || is_usable(plan->working) ||
	    lies_in_volume(plan, plan->working))
		return 0;
	why = access(plan->working, F_OK) == 0 || errno == EACCES ?
	    "closed to this user" :
	    "not on this host";
	if (!r->may_mount) {
		runner_event_add(r, "Normal", "WorkingDirHome", p->name,
		    "workingDir %s is %s: the command starts in the pod's own "
		    "directory, because %s",
		    plan->working, why, r->mount_refusal);
		free(plan->working);
		plan->working = xasprintf("%s/home", p->directory);
		return 0;
	}
	path = xasprintf("%s/%s.working", p->directory, container);
	if (mkdir(path, 0700) != 0 && errno != EEXIST) {
		status = error_set_errno(e, "cannot make %s", path);
	} else {
		add_volume(plan, "workingDir", path, plan->working)
		    ->is_read_only = false;
		runner_event_add(r, "Normal", "WorkingDirEmpty", p->name,
		    "workingDir %s is %s: an empty directory of the pod "
		    "replaces it",
		    plan->working, why);
	}
	free(path);
	return status;
}

/*
 * Refuse volumes that need a mount if mounting is not allowed; a request for
 * shared memory is met by this host's.
 */
static int
check_volumes(const struct job_runner *r, const struct container_plan *plan,
    struct error *e)
{
	const struct container_volume *v = plan->volumes;
	size_t i;

	for (i = 0; i < plan->volume_count; i++, v++)
		if (v->kind != POD_MEMORY || strcmp(v->target, "/dev/shm") != 0)
			return error_set_code(e, ERROR_UNSUPPORTED,
			    "volume %s cannot be mounted at %s: %s", v->name,
			    v->target, r->mount_refusal);
	return 0;
}

static int
write_sheet(struct job_runner *r, struct runner_pod *p,
    const struct yaml_node *pod, const struct yaml_node *container,
    const char *root, struct error *e)
{
	if (root[0] != '\0' && !r->may_mount)
		return error_set_code(e, ERROR_UNSUPPORTED,
		    "image %s: its directory %s cannot become the root "
		    "directory: %s",
		    yaml_get_text(container, "image"), root, r->mount_refusal);
	mount_home(r, p, root);
	if (root[0] == '\0' &&
	    make_working(r, p, yaml_get_text(container, "name"), e) != 0)
		return -1;
	return pod_process_write_sheet(r, p,
	    yaml_get_text(pod, "spec/hostname"), root, e);
}

/* Find the root of a container by its image; "": this host's. */
static int
find_root(struct job_runner *r, const struct runner_pod *p,
    const struct yaml_node *container, char root[PATH_MAX], struct error *e)
{
	const char *image = yaml_get_text(container, "image");
	bool is_mapped;

	if (job_settings_image(image, root, &is_mapped, e) != 0)
		return -1;
	if (!is_mapped && image != NULL && !r->reported_image) {
		r->reported_image = true;
		runner_event_add(r, "Normal", "ImageNotMapped", p->name,
		    "image %s is not in ipubox.conf: this host's own files are "
		    "used",
		    image);
	}
	return 0;
}

static bool
has_host_path(const struct yaml_node *pod)
{
	const struct yaml_node *volumes = yaml_path(pod, "spec/volumes");
	size_t i;

	for (i = 0; volumes != NULL && i < volumes->count; i++)
		if (yaml_get(volumes->items[i].node, "hostPath") != NULL)
			return true;
	return false;
}

/* Make the plan, with the volumes that are possible here. */
static int
make_plan(struct job_runner *r, struct runner_pod *p,
    const struct yaml_node *pod, const struct yaml_node *container,
    struct pod_host *host, bool is_host_root, struct error *e)
{
	char open[PATH_MAX], *own = NULL;
	int status = job_settings_host_root(open, e);

	if (status == 0 && open[0] != '\0') {
		host->host_root = open;
	} else if (status == 0 && has_host_path(pod)) {
		host->host_own = own = job_store_place(r->store, r->job.space,
		    JOB_PLACE_HOST, NULL, e);
		status = own != NULL ? 0 : -1;
	}
	if (status == 0)
		status = container_plan_make(pod, container, host, &p->plan, e);
	if (status == 0)
		leave_out_of_kernel(r, p);
	if (status == 0 && own != NULL)
		choose_host_paths(r, p, own, is_host_root);
	if (status == 0)
		report_substitutes(r, p);
	if (status == 0 && !r->may_mount)
		status = check_volumes(r, &p->plan, e);
	free(own);
	return status;
}

int
pod_setup_make(struct job_runner *r, struct runner_pod *p,
    const struct yaml_node *pod, const struct yaml_node *container,
    struct error *e)
{
	struct plan_context asker = { .runner = r, .arena = yaml_arena_new() };
	struct strvec environment;
	char root[PATH_MAX];
	char *mpi = xasprintf("%s/mpi", p->directory);
	/* All pods see the registry at the same path, whatever their /dev/shm
	   is, because pods pass this path to each other. */
	char *registry = r->may_mount ?
	    xasprintf("%s/shm/%s", r->entry->directory.path,
		path_base_name(r->registry)) :
	    xstrdup(r->registry);
	struct pod_host host = { .directory = p->directory,
		.address = RUNNER_ADDRESS,
		.find = find_object,
		.place = find_place,
		.context = &asker };
	const bool is_parallel = r->job.launcher != NULL;
	const char *hostname = yaml_get_text(pod, "spec/hostname");
	int status = make_places(r, p->directory, e);

	if (hostname == NULL)
		hostname = p->name;
	pod_setup_make_environment(r, p, hostname, registry,
	    r->may_mount ? mpi_directory : mpi, &environment);
	host.environment = environment.items;
	if (status == 0)
		status = find_root(r, p, container, root, e);
	if (status == 0)
		status = make_plan(r, p, pod, container, &host, root[0] == '\0',
		    e);
	if (status == 0)
		status = pod_disk_make(&p->plan, p->directory, e);
	if (status == 0 && is_parallel)
		status = pod_files_make_mpi(r, p, mpi, e);
	if (status == 0 && is_parallel && r->may_mount)
		add_volume(&p->plan, "mpi", mpi, mpi_directory);
	if (status == 0)
		status = mount_hosts(r, p, hostname, root, e);
	if (status == 0)
		status = write_sheet(r, p, pod, container, root, e);
	strvec_release(&environment);
	yaml_arena_free(asker.arena);
	free(registry);
	free(mpi);
	return status;
}
