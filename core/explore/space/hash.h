#pragma once
// Identities of inputs, as results files store them.

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/base/key.h"

namespace convscope::explore {

/// 64-bit FNV-1a in 16 hexadecimal digits.
inline std::string content_hash(std::string_view bytes) {
  return fmt::format("{:016x}", hash64(bytes));
}

}  // namespace convscope::explore
