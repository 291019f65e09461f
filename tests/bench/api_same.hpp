#pragma once

#include <cstddef>
#include <type_traits>

namespace envgen::bench {

template <std::size_t Size, std::size_t Alignment>
struct Bytes {};

template <class Type, class = void>
struct Plain {
  using type = Type;
};
template <class Type>
struct Plain<Type, std::enable_if_t<std::is_enum_v<Type>>> {
  using type = int;
};
// A struct that is complete: those of which only pointers are used bear the same names on both sides.
template <class Type>
struct Plain<Type, std::enable_if_t<std::is_class_v<Type> && !std::is_const_v<Type> && (sizeof(Type) > 0)>> {
  using type = Bytes<sizeof(Type), alignof(Type)>;
};
template <class Type>
struct Plain<const Type> {
  using type = const typename Plain<Type>::type;
};
template <class Type>
struct Plain<Type*> {
  using type = typename Plain<Type>::type*;
};
template <class Result, class... Parameters>
struct Plain<Result(Parameters...)> {
  using type = typename Plain<Result>::type(typename Plain<Parameters>::type...);
};

template <class Ours, class Theirs>
inline constexpr bool same = std::is_same_v<typename Plain<Ours>::type, typename Plain<Theirs>::type>;

#define ENVGEN_SAME(need, symbol, result, parameters) \
  static_assert(envgen::bench::same<decltype(Table::symbol), decltype(&::symbol)>, #symbol " is declared otherwise");

}  // namespace envgen::bench
