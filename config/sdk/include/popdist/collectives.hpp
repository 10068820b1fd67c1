/*
 * The collectives for C++, see popdist.h.  Their last argument is the name of a
 * registered communicator, or else the id of the operation among all instances,
 * such as a tensor's name.  A second form takes both.
 * All throw popdist::popdist_error where they fail.
 */
#ifndef POPDIST_COLLECTIVES_HPP
#define POPDIST_COLLECTIVES_HPP

#include <popdist.h>
#include <popdist/backend.hpp>
#include <popdist/popdist_error.hpp>
#include <poplar/Type.hpp>

#include <cstddef>
#include <string>

namespace popdist {
namespace collectives {
namespace internal {

using popdist::internal::check;
using popdist::internal::Place;

/* Sums wrap around, so signed and unsigned integers are the same. */
inline int
elementType(const poplar::Type &type)
{
	if (type == poplar::HALF)
		return POPDIST_HALF;
	if (type == poplar::FLOAT)
		return POPDIST_FLOAT;
	if (type == poplar::BOOL)
		return POPDIST_BOOL;
	if (type == poplar::CHAR || type == poplar::SIGNED_CHAR ||
	    type == poplar::UNSIGNED_CHAR)
		return POPDIST_INT8;
	if (type == poplar::SHORT || type == poplar::UNSIGNED_SHORT)
		return POPDIST_INT16;
	if (type == poplar::INT || type == poplar::UNSIGNED_INT)
		return POPDIST_INT32;
	if (type == poplar::LONGLONG || type == poplar::UNSIGNED_LONGLONG)
		return POPDIST_INT64;
	return 0;		/* not a type: refused */
}

template <typename T>
void
gather(const T *in, T *out, std::size_t count, const poplar::Type &type,
    const Place &place, bool inplace)
{
	check(popdist_all_gather(inplace ? nullptr : in, out, count,
	    elementType(type), place.communicator, place.id));
}

/* Keep T from being deduced from this argument, which may be nullptr. */
template <typename T>
struct same {
	typedef T	type;
};

} // namespace internal

/* Replace the `count` elements by the sum over the instances. */
template <typename T>
void
allReduceSum(T *inout, std::size_t count, const poplar::Type &type,
    const std::string &id = defaultCommunicatorId())
{
	const internal::Place	place(id);

	internal::check(popdist_all_reduce_sum(inout, count,
	    internal::elementType(type), place.communicator, place.id));
}

template <typename T>
void
allReduceSum(T *inout, std::size_t count, const poplar::Type &type,
    const std::string &communicatorId, const std::string &id)
{
	const internal::Place	place(communicatorId, id);

	internal::check(popdist_all_reduce_sum(inout, count,
	    internal::elementType(type), place.communicator, place.id));
}

/*
 * Write `count` elements of each instance to `out`, in the instances' order.
 * If this instance's are already in `out`, `in` may be nullptr.
 */
template <typename T>
void
allGather(const typename internal::same<T>::type *in, T *out,
    std::size_t count, const poplar::Type &type,
    const std::string &id = defaultCommunicatorId(), bool inplace = false)
{
	internal::gather<T>(in, out, count, type, internal::Place(id), inplace);
}

template <typename T>
void
allGather(const typename internal::same<T>::type *in, T *out,
    std::size_t count, const poplar::Type &type,
    const std::string &communicatorId, const std::string &id,
    bool inplace = false)
{
	internal::gather<T>(in, out, count, type,
	    internal::Place(communicatorId, id), inplace);
}

/* A text would rather become a bool than a std::string. */
template <typename T>
void
allGather(const typename internal::same<T>::type *in, T *out,
    std::size_t count, const poplar::Type &type,
    const std::string &communicatorId, const char *id, bool inplace = false)
{
	allGather<T>(in, out, count, type, communicatorId, std::string(id),
	    inplace);
}

/* Send the elements of the instance `root` to all. */
template <typename T>
void
broadcast(T *inout, std::size_t count, const poplar::Type &type, int root = 0,
    const std::string &id = defaultCommunicatorId())
{
	const internal::Place	place(id);

	internal::check(popdist_broadcast(inout, count,
	    internal::elementType(type), root, place.communicator, place.id));
}

template <typename T>
void
broadcast(T *inout, std::size_t count, const poplar::Type &type, int root,
    const std::string &communicatorId, const std::string &id)
{
	const internal::Place	place(communicatorId, id);

	internal::check(popdist_broadcast(inout, count,
	    internal::elementType(type), root, place.communicator, place.id));
}

/* Former names of these functions. */
namespace sequential {
using collectives::allGather;
using collectives::allReduceSum;
using collectives::broadcast;
} // namespace sequential

namespace parallel {
using collectives::allGather;
using collectives::allReduceSum;
using collectives::broadcast;
} // namespace parallel

} // namespace collectives
} // namespace popdist

#endif
