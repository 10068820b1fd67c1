/*
 * PopDist's context for C++: the share of the job that this instance has.
 * popdist.h says what each function returns, and when it fails; then they throw
 * popdist::popdist_error.
 */
#ifndef POPDIST_CONTEXT_HPP
#define POPDIST_CONTEXT_HPP

#include <popdist.h>
#include <popdist/popdist_error.hpp>
#include <poplar/OptionFlags.hpp>

#include <exception>

namespace popdist {

inline bool
isPopdistEnvSet()
{
	return popdist_is_env_set() != 0;
}

inline int
getNumTotalReplicas()
{
	return internal::check(popdist_num_total_replicas());
}

inline int
getNumLocalReplicas()
{
	return internal::check(popdist_num_local_replicas());
}

inline int
getReplicaIndexOffset()
{
	return internal::check(popdist_replica_index_offset());
}

inline int
getNumIpusPerReplica()
{
	return internal::check(popdist_num_ipus_per_replica());
}

inline bool
checkNumIpusPerReplica(int ipusPerReplica)
{
	return internal::check(popdist_check_num_ipus_per_replica(
	    ipusPerReplica)) != 0;
}

inline int
getNumInstances()
{
	return internal::check(popdist_num_instances());
}

inline int
getInstanceIndex()
{
	return internal::check(popdist_instance_index());
}

inline int
getLocalInstanceIndex()
{
	return internal::check(popdist_local_instance_index());
}

inline int
getDeviceId(int ipusPerReplica = 0)
{
	return internal::check(popdist_device_id(ipusPerReplica));
}

namespace internal {

/* Exceptions do not pass through C: this one carries it around. */
struct EngineOptions {
	poplar::OptionFlags	*flags;
	std::exception_ptr	 failure;
};

inline void
setEngineOption(void *context, const char *name, const char *value)
{
	EngineOptions	*options = static_cast<EngineOptions *>(context);

	try {
		options->flags->set(name, value);
	} catch (...) {
		options->failure = std::current_exception();
	}
}

} // namespace internal

inline void
setEngineOptions(poplar::OptionFlags &flags)
{
	internal::EngineOptions	options = { &flags, nullptr };

	internal::check(popdist_engine_options(internal::setEngineOption,
	    &options));
	if (options.failure)
		std::rethrow_exception(options.failure);
}

} // namespace popdist

#endif
