#pragma once
// Memoization keys: the plain bytes of a pass's narrow parameters, so two different inputs never collide.

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/fields.h"

namespace convscope {

/// Builds a key by appending values; every variable-length part is preceded by its length.
class KeyBuilder {
 public:
  template <typename T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T> KeyBuilder& add(T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    key_.append(bytes, sizeof(T));
    return *this;
  }
  KeyBuilder& add(std::string_view text) {
    add(text.size());
    key_.append(text);
    return *this;
  }
  template <typename T>
  KeyBuilder& add(const std::vector<T>& values) {
    add(values.size());
    for (const T& value : values) add(value);
    return *this;
  }
  template <typename T>
  KeyBuilder& add(const std::optional<T>& value) {
    add(value.has_value());
    return value ? add(*value) : *this;
  }
  /// All fields.
  template <typename T>
  requires is_plain_struct<T> KeyBuilder& add(const T& value) {
    std::apply([this](const auto&... fields) { (this->add(fields), ...); }, fields_of(value));
    return *this;
  }
  std::string take() { return std::move(key_); }

 private:
  std::string key_;
};

/// 64-bit FNV-1a: for identities that are stored or shown, not for untrusted collision resistance.
constexpr unsigned long long hash64(std::string_view text) {
  unsigned long long hash = 14695981039346656037ULL;
  for (char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ULL;
  }
  return hash;
}

}  // namespace convscope
