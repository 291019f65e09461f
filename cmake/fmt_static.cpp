// fmt's function bodies, once, from its own headers. The distributions ship fmt's shared library, which costs every start of
// envgen time in the dynamic linker, and its headers; header-only use compiles these bodies in each file, 5 s each.
// This is what fmt's own src/format.cc does; the instantiations are those that format.h declares `extern template`.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
template FMT_API auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
#if FMT_VERSION < 90000
template auto format_float<double>(double, int, float_specs, buffer<char>&) -> int;
template auto format_float<long double>(long double, int, float_specs, buffer<char>&) -> int;
template auto snprintf_float<double>(double, int, float_specs, buffer<char>&) -> int;
template auto snprintf_float<long double>(long double, int, float_specs, buffer<char>&) -> int;
#elif FMT_VERSION >= 100000
template FMT_API void vformat_to(buffer<char>&, string_view, typename vformat_args<>::type, locale_ref);
#endif
}  // namespace detail
FMT_END_NAMESPACE
