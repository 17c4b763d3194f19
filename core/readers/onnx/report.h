#pragma once
// What is wrong with an ONNX file. A hostile one can hold a million mistakes; people need the first hundred.

#include <string>

#include "core/base/diagnostic.h"
#include "core/readers/common/text.h"

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

}  // namespace convscope::readers::onnx_format
