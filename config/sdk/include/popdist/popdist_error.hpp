/*
 * The exception that the functions of PopDist throw.
 */
#ifndef POPDIST_POPDIST_ERROR_HPP
#define POPDIST_POPDIST_ERROR_HPP

#include <popdist.h>

#include <stdexcept>
#include <string>

namespace popdist {

class popdist_error : public std::runtime_error {
public:
	explicit popdist_error(const std::string &text,
	    int code = POPDIST_INVALID)
	    : std::runtime_error(text), code_(code) {}

	/* An enum popdist_code of popdist.h. */
	int code() const { return code_; }

private:
	int	code_;
};

namespace internal {

/* Return a result of popdist.h, or throw an exception for -1. */
inline int
check(int result)
{
	if (result == -1)
		throw popdist_error(popdist_error_text(),
		    popdist_error_code());
	return result;
}

} // namespace internal
} // namespace popdist

#endif
