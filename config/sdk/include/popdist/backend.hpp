/*
 * Joining and leaving the job for C++, see popdist.h.  A function that fails
 * throws popdist::popdist_error.
 */
#ifndef POPDIST_BACKEND_HPP
#define POPDIST_BACKEND_HPP

#include <popdist.h>
#include <popdist/popdist_error.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace popdist {

/* Return the communicator of all instances, unless it names another set. */
constexpr const char *
defaultCommunicatorId()
{
	return "default";
}

inline void
registerDefaultBackend()
{
	internal::check(popdist_register_default_backend());
}

/* There is one backend, poprun's; others cannot be loaded. */
inline void
registerBackend(const std::string &path)
{
	throw popdist_error("cannot load the backend " + path +
	    "; poprun's is the only one, and registerDefaultBackend() "
	    "chooses it");
}

inline void
initializeBackend()
{
	internal::check(popdist_initialize_backend());
}

inline bool
isBackendInitialized()
{
	return popdist_is_backend_initialized() != 0;
}

inline void
finalizeBackend()
{
	internal::check(popdist_finalize_backend());
}

inline void
registerCommunicator(const std::set<std::uint32_t> &participants,
    const std::string &communicatorId = defaultCommunicatorId())
{
	const std::vector<unsigned>	list(participants.begin(),
	    participants.end());

	internal::check(popdist_register_communicator(communicatorId.c_str(),
	    list.data(), list.size()));
}

/* Set how many seconds a collective waits; 0: without limit. */
inline void
setTimeout(double seconds)
{
	internal::check(popdist_set_timeout(seconds));
}

namespace internal {

/* The parts of an id, see collectives.hpp; nullptr: the default. */
struct Place {
	const char	*communicator, *id;

	explicit Place(const std::string &name)
	{
		const bool	known = popdist_is_communicator(name.c_str());

		communicator = known ? name.c_str() : nullptr;
		id = known ? nullptr : name.c_str();
	}
	Place(const std::string &communicatorId, const std::string &name)
	    : communicator(popdist_is_communicator(communicatorId.c_str()) ||
	    communicatorId != defaultCommunicatorId() ?
	    communicatorId.c_str() : nullptr), id(name.c_str()) {}
};

} // namespace internal

/* Wait until all instances have called this. */
inline void
synchronize(const std::string &id = defaultCommunicatorId())
{
	const internal::Place	place(id);

	internal::check(popdist_synchronize(place.communicator, place.id));
}

/*
 * Run a program of the engine in all instances at once if there are several and
 * the backend is initialised; otherwise only here.
 */
template <typename Engine>
void
run(Engine &engine, unsigned program, const std::string &debugName = "")
{
	if (isBackendInitialized())
		internal::check(popdist_synchronize(nullptr, "popdist::run"));
	engine.run(program, debugName);
}

} // namespace popdist

#endif
