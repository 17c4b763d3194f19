#pragma once
// The fields of a plain struct in order, without naming them: what looks at all of them can't forget one.

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace convscope {

/// A struct without constructors and bases; with at most `most_fields` fields and no built-in arrays among them.
template <typename T>
inline constexpr bool is_plain_struct = std::is_class_v<T>&& std::is_aggregate_v<T>;

inline constexpr std::size_t most_fields = 20;

namespace fields_detail {

/// Stands for a field of any type; only ever looked at by the compiler.
struct Anything {
  std::size_t index;
  template <typename T>
  operator T() const;
};

template <typename T, std::size_t... i>
constexpr bool takes(std::index_sequence<i...>) {
  return requires {
    T{Anything{i}...};
  };
}

template <typename T, std::size_t count = 0>
constexpr std::size_t count_fields() {
  if constexpr (takes<T>(std::make_index_sequence<count + 1>{}))
    return count_fields<T, count + 1>();
  else
    return count;
}

}  // namespace fields_detail

/// References to all fields. Another number of fields than counted doesn't compile.
template <typename T>
constexpr auto fields_of(const T& s) {
  static_assert(is_plain_struct<T>);
  constexpr std::size_t count = fields_detail::count_fields<T>();
  static_assert(count >= 1 && count <= most_fields);
  // clang-format off
  if constexpr (count == 1) { const auto& [f1] = s; return std::tie(f1); }
  else if constexpr (count == 2) { const auto& [f1, f2] = s; return std::tie(f1, f2); }
  else if constexpr (count == 3) { const auto& [f1, f2, f3] = s; return std::tie(f1, f2, f3); }
  else if constexpr (count == 4) { const auto& [f1, f2, f3, f4] = s; return std::tie(f1, f2, f3, f4); }
  else if constexpr (count == 5) { const auto& [f1, f2, f3, f4, f5] = s; return std::tie(f1, f2, f3, f4, f5); }
  else if constexpr (count == 6) { const auto& [f1, f2, f3, f4, f5, f6] = s; return std::tie(f1, f2, f3, f4, f5, f6); }
  else if constexpr (count == 7) {
    const auto& [f1, f2, f3, f4, f5, f6, f7] = s;
    return std::tie(f1, f2, f3, f4, f5, f6, f7); }
  else if constexpr (count == 8) {
    const auto& [f1, f2, f3, f4, f5, f6, f7, f8] = s;
    return std::tie(f1, f2, f3, f4, f5, f6, f7, f8); }
  else if constexpr (count == 9) {
    const auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9] = s;
    return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9); }
  else if constexpr (count == 10) {
    const auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10] = s;
    return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10); }
  else if constexpr (count == 11) {
    const auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11] = s;
    return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11); }
  else if constexpr (count == 12) {
    const auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12] = s;
    return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12); }
  else if constexpr (count == 13) {
    const auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13] = s;
    return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13); }
  else if constexpr (count == 14) {
    const auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14] = s;
    return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14); }
  else if constexpr (count == 15) {
    const auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15] = s;
    return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15); }
  else if constexpr (count == 16) {
    const auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16] = s;
    return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16); }
  else if constexpr (count == 17) {
    const auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17] = s;
    return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17); }
  else if constexpr (count == 18) {
    const auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18] = s;
    return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18); }
  else if constexpr (count == 19) {
    const auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19] = s;
    return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19); }
  else if constexpr (count == 20) {
    const auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20] = s;
    return std::tie(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20); }
  // clang-format on
}

}  // namespace convscope
