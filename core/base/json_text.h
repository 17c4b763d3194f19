#pragma once
// A first look over JSON from a file: where it is malformed, and whether it is of a size that may be taken in.

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"

namespace convscope {

struct JsonLimits {
  std::size_t bytes = 0;         ///< of the text
  int depth = 0;                 ///< of nested objects and arrays
  std::size_t values = 4000000;  ///< objects, arrays, numbers, texts, … together
};

/// True if the text is JSON within the limits: then parsing it neither fails nor takes much memory. Else one
/// diagnostic, with the line where the text is malformed; `expected` says what should be there. Builds nothing.
bool check_json(std::string_view text, const std::string& file, const JsonLimits& limits, const std::string& expected,
                Diagnostics& diagnostics);

}  // namespace convscope
