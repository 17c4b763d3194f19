#pragma once
// What is wrong with an ONNX file. A hostile one can hold a million mistakes; people need the first hundred.

#include <string>
#include <string_view>

#include "core/base/diagnostic.h"

namespace convscope::readers::onnx_format {

class Report {
 public:
  static constexpr int cap = 100;

  Report(Diagnostics& diagnostics, std::string file) : diagnostics_(diagnostics), file_(std::move(file)) {}

  /// Beyond the cap, errors are counted but no longer listed; the last one listed says so. Likewise notes.
  void error(std::string element, std::string what, std::string expected = {}, std::string hint = {}, int line = 0);
  void note(std::string element, std::string what, int line = 0);
  bool any_error() const { return errors_ > 0; }
  const std::string& file() const { return file_; }

 private:
  Diagnostics& diagnostics_;
  std::string file_;
  int errors_ = 0;
  int notes_ = 0;
};

/// Text from a file as valid UTF-8 without control characters: '?' stands for what is neither.
std::string clean(std::string_view text);
/// Text from a file, fit for a message: cleaned, in quotes, at most 80 bytes.
std::string in_quotes(std::string_view text);

}  // namespace convscope::readers::onnx_format
