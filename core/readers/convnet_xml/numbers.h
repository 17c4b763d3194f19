#pragma once
// Integers and comma-separated lists of them, as descriptors write them.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"

namespace convscope::readers {

/// Inclusive limits of an integer and how a message says them.
struct Range {
  int minimum = 0;
  int maximum = 0;
  std::string meaning;  ///< "an integer from 1 to 65536" if empty
};

/// The integer that `text` is, space around it allowed; nothing, with an error that calls it `name`, if it is not one
/// or is out of range.
std::optional<int> read_integer(std::string_view text, const Range& range, const std::string& name,
                                const Location& where, Diagnostics& findings);

/// A list such as "0,1,\n 2". Each wrong entry is an error of its own and is left out of the result;
/// `length` is the number of entries, wrong ones included; 0 for an empty text.
struct IntegerList {
  std::vector<int> values;
  int length = 0;
};
IntegerList read_list(std::string_view text, const Range& range, const Location& where, Diagnostics& findings);

}  // namespace convscope::readers
