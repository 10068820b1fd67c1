/*
 * All names of PopDist for C++, as published programs call them, for
 * tests/cli/sdk-c.t: each instance checks what it gets, and says what is wrong.
 */
#include <popdist/backend.hpp>
#include <popdist/collectives.hpp>
#include <popdist/context.hpp>

#include <cstdint>
#include <iostream>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace collectives = popdist::collectives;

static int	failures;

static void
check(bool good, const std::string &what)
{
	if (good)
		return;
	std::cout << "wrong: " << what << "\n";
	failures++;
}

/* What popdist::run() takes: anything that has Poplar's run(). */
struct Engine {
	unsigned	program = 0;
	std::string	name;

	void run(unsigned number, const std::string &debugName)
	{
		program = number;
		name = debugName;
	}
};

/* A program's own type is declared so for Poplar. */
struct half_bits {
	std::uint16_t	bits;
};

namespace poplar {
template <> struct equivalent_device_type<half_bits>
{ const Type &value = HALF; };
} // namespace poplar

template <typename T>
static T
sum_of(T value, const std::string &name)
{
	collectives::allReduceSum(&value, 1,
	    poplar::equivalent_device_type<T>().value, name);
	return value;
}

static void
check_sums(int index, int count)
{
	const int	total = count * (count + 1) / 2;
	half_bits	one = { 0x3c00 };	/* 1.0 */

	check(sum_of<float>(static_cast<float>(index) + 1, "float") ==
	    static_cast<float>(total), "a sum of floats");
	check(sum_of<std::int64_t>(index + 1, "int64") == total,
	    "a sum of int64");
	check(sum_of<unsigned>(0xffffffffU, "wraps") ==
	    0xffffffffU * static_cast<unsigned>(count), "a sum that wraps");
	check(sum_of<short>(static_cast<short>(index + 1), "short") == total,
	    "a sum of shorts");
	check(sum_of<signed char>(static_cast<signed char>(index + 1),
	    "char") == total, "a sum of chars");
	collectives::allReduceSum(&one, 1, poplar::HALF, "half");
	check(one.bits == (count == 1 ? 0x3c00 : count == 2 ? 0x4000 :
	    count == 4 ? 0x4400 : one.bits), "a sum of halves");
}

static void
check_others(int index, int count)
{
	std::vector<int>	all(static_cast<std::size_t>(count));
	int			own = index * 10;
	bool			flag = index == count - 1;

	collectives::allGather(&own, all.data(), 1, poplar::INT);
	check(all.back() == (count - 1) * 10, "what is gathered");
	all.assign(all.size(), -1);
	all[static_cast<std::size_t>(index)] = own;
	collectives::allGather(nullptr, all.data(), 1, poplar::INT, "place",
	    true);
	check(all.back() == (count - 1) * 10, "what is gathered in place");
	collectives::broadcast(&flag, 1, poplar::BOOL, count - 1, "flag");
	check(flag, "a flag");
	collectives::sequential::broadcast(&own, 1, poplar::INT);
	check(own == 0, "what instance 0 has");
}

/* Among the last half of the instances, and among all of them. */
static void
check_communicators(int index, int count)
{
	std::set<std::uint32_t>	half;
	std::vector<int>	all(static_cast<std::size_t>(count));
	int			one = 1;

	for (int i = count / 2; i < count; i++)
		half.insert(static_cast<std::uint32_t>(i));
	popdist::registerCommunicator(half, "half");
	if (index >= count / 2) {
		collectives::allReduceSum(&one, 1, poplar::INT, "half");
		check(one == static_cast<int>(half.size()), "a sum of half");
		/* The last two are texts, none of which becomes a bool. */
		collectives::allGather(&index, all.data(), 1, poplar::INT,
		    "half", "indices");
		check(all[half.size() - 1] == count - 1, "the last one");
		popdist::synchronize("half");
	} else {
		try {
			collectives::allReduceSum(&one, 1, poplar::INT,
			    "half", "not mine");
			check(false, "a sum that this is not part of");
		} catch (const popdist::popdist_error &e) {
			check(e.code() == POPDIST_NO_COMMUNICATOR, e.what());
		}
	}
	one = 1;
	collectives::allReduceSum(&one, 1, poplar::INT,
	    popdist::defaultCommunicatorId(), "both");
	check(one == count, "a sum by two names");
	/* The name of all may mean others. */
	popdist::registerCommunicator({ 0 });
	if (index == 0) {
		one = 7;
		collectives::allReduceSum(&one, 1, poplar::INT);
		check(one == 7, "a sum of one");
	}
}

static void
check_context(int index)
{
	poplar::OptionFlags	flags = { { "a", "1" } };

	check(popdist::getNumLocalReplicas() * popdist::getNumInstances() ==
	    popdist::getNumTotalReplicas(), "the replicas");
	check(popdist::getReplicaIndexOffset() == index *
	    popdist::getNumLocalReplicas(), "the offset");
	check(popdist::getLocalInstanceIndex() <= index, "the local index");
	check(popdist::checkNumIpusPerReplica(popdist::getNumIpusPerReplica()),
	    "the IPUs of a replica");
	popdist::setEngineOptions(flags);
	check(flags.at("a") == "1", "what was in the options");
	for (const poplar::OptionFlags::OptionFlag &flag : flags)
		if (popdist::isPopdistEnvSet())
			std::cout << flag.first << "=" << flag.second << "\n";
}

int
main()
{
	Engine	engine;
	int	index = popdist::getInstanceIndex();
	int	count = popdist::getNumInstances();

	check_context(index);
	try {
		popdist::synchronize();
		check(false, "to synchronise before the start");
	} catch (const popdist::popdist_error &) {
	}
	try {
		popdist::registerBackend("other.so");
		check(false, "another backend");
	} catch (const std::runtime_error &) {
	}
	popdist::run(engine, 1);
	popdist::registerDefaultBackend();
	popdist::initializeBackend();
	check(popdist::isBackendInitialized(), "that the backend is there");
	popdist::setTimeout(60);
	popdist::run(engine, 2, "name");
	check(engine.program == 2 && engine.name == "name", "run");
	check_sums(index, count);
	check_others(index, count);
	check_communicators(index, count);
	popdist::finalizeBackend();
	check(!popdist::isBackendInitialized(), "that it is gone");
	return failures != 0;
}
