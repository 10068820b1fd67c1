/*
 * Poplar's OptionFlags for hosts without Poplar: names and values, enough for
 * popdist::setEngineOptions().  If Poplar's own header is found, it is used.
 */
#ifndef POPDIST_POPLAR_OPTION_FLAGS_HPP
#define POPDIST_POPLAR_OPTION_FLAGS_HPP

/* Because of #include_next, which is not in the standard. */
#pragma GCC system_header

#if defined(__has_include_next)
#if __has_include_next(<poplar/OptionFlags.hpp>)
#define POPDIST_POPLAR_IS_THERE
#include_next <poplar/OptionFlags.hpp>
#endif
#endif

#ifndef POPDIST_POPLAR_IS_THERE

#include <initializer_list>
#include <map>
#include <string>
#include <utility>

namespace poplar {

class OptionFlags {
public:
	typedef std::pair<const std::string, std::string>	OptionFlag;
	typedef std::initializer_list<OptionFlag>	initializer_list;
	typedef std::map<std::string, std::string>::const_iterator
								iterator;

	OptionFlags() {}
	OptionFlags(initializer_list list) : flags_(list) {}

	/* Replaces the value of an existing option. */
	void set(const std::string &option, const std::string &value)
	{
		flags_[option] = value;
	}
	void set(initializer_list list)
	{
		for (const OptionFlag &flag : list)
			flags_[flag.first] = flag.second;
	}
	/* Throws std::out_of_range if the option does not exist. */
	const std::string &at(const std::string &option) const
	{
		return flags_.at(option);
	}
	void clear() { flags_.clear(); }

	iterator begin() const { return flags_.begin(); }
	iterator end() const { return flags_.end(); }

	bool operator==(const OptionFlags &other) const
	{
		return flags_ == other.flags_;
	}
	bool operator!=(const OptionFlags &other) const
	{
		return !(*this == other);
	}

private:
	std::map<std::string, std::string>	flags_;
};

} // namespace poplar

#endif
#undef POPDIST_POPLAR_IS_THERE
#endif
