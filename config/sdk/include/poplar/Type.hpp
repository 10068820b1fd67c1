/*
 * Poplar's types of elements for hosts without Poplar, enough for
 * popdist::collectives.  If Poplar's own header is found, it is used.
 */
#ifndef POPDIST_POPLAR_TYPE_HPP
#define POPDIST_POPLAR_TYPE_HPP

/* Because of #include_next, which is not in the standard. */
#pragma GCC system_header

#if defined(__has_include_next)
#if __has_include_next(<poplar/Type.hpp>)
#define POPDIST_POPLAR_IS_THERE
#include_next <poplar/Type.hpp>
#endif
#endif

#ifndef POPDIST_POPLAR_IS_THERE

#include <ostream>
#include <string>

namespace poplar {

class Type {
public:
	constexpr explicit Type(const char *name, int number)
	    : name_(name), number_(number) {}

	std::string toString() const { return name_; }

	constexpr bool operator==(const Type &other) const
	{
		return number_ == other.number_;
	}
	constexpr bool operator!=(const Type &other) const
	{
		return number_ != other.number_;
	}
	constexpr bool operator<(const Type &other) const
	{
		return number_ < other.number_;
	}

private:
	const char	*name_;
	int		 number_;
};

inline std::ostream &
operator<<(std::ostream &out, const Type &type)
{
	return out << type.toString();
}

constexpr Type BOOL("bool", 0);
constexpr Type CHAR("char", 1);
constexpr Type UNSIGNED_CHAR("unsigned char", 2);
constexpr Type SIGNED_CHAR("signed char", 3);
constexpr Type SHORT("short", 4);
constexpr Type UNSIGNED_SHORT("unsigned short", 5);
constexpr Type INT("int", 6);
constexpr Type UNSIGNED_INT("unsigned int", 7);
constexpr Type LONGLONG("long long", 8);
constexpr Type UNSIGNED_LONGLONG("unsigned long long", 9);
constexpr Type HALF("half", 10);
constexpr Type FLOAT("float", 11);

/* The type on a device for a C++ type. */
template <typename T>
struct equivalent_device_type;

template <> struct equivalent_device_type<bool>
{ const Type &value = BOOL; };
template <> struct equivalent_device_type<char>
{ const Type &value = CHAR; };
template <> struct equivalent_device_type<unsigned char>
{ const Type &value = UNSIGNED_CHAR; };
template <> struct equivalent_device_type<signed char>
{ const Type &value = SIGNED_CHAR; };
template <> struct equivalent_device_type<short>
{ const Type &value = SHORT; };
template <> struct equivalent_device_type<unsigned short>
{ const Type &value = UNSIGNED_SHORT; };
template <> struct equivalent_device_type<int>
{ const Type &value = INT; };
template <> struct equivalent_device_type<unsigned>
{ const Type &value = UNSIGNED_INT; };
template <> struct equivalent_device_type<long>
{ const Type &value = sizeof(long) == 8 ? LONGLONG : INT; };
template <> struct equivalent_device_type<unsigned long>
{ const Type &value = sizeof(long) == 8 ? UNSIGNED_LONGLONG : UNSIGNED_INT; };
template <> struct equivalent_device_type<long long>
{ const Type &value = LONGLONG; };
template <> struct equivalent_device_type<unsigned long long>
{ const Type &value = UNSIGNED_LONGLONG; };
template <> struct equivalent_device_type<float>
{ const Type &value = FLOAT; };

} // namespace poplar

#endif
#undef POPDIST_POPLAR_IS_THERE
#endif
