#pragma once
// What a reader finds in one file.

#include <string>
#include <string_view>
#include <utility>

#include "core/base/diagnostic.h"

namespace convscope::readers {

class Report {
 public:
  Report(std::string file, Diagnostics& diagnostics)
      : file_(std::move(file)), diagnostics_(diagnostics), errors_before_(diagnostics.count(Severity::error)) {}

  Location at(int line, std::string element) const { return {file_, line, std::move(element)}; }
  void error(int line, std::string element, std::string what, std::string expected = {}, std::string hint = {});
  void warning(int line, std::string element, std::string what, std::string expected = {}, std::string hint = {});
  void note(int line, std::string element, std::string what);
  /// Of this file.
  bool any_error() const { return diagnostics_.count(Severity::error) > errors_before_; }
  const std::string& file() const { return file_; }
  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  std::string file_;
  Diagnostics& diagnostics_;
  std::size_t errors_before_;
};

/// Text from a file, fit for a name: at most 200 bytes of valid UTF-8 without control characters.
std::string clean_name(std::string_view text);

/// The name of a network without one in its file: the file's name without folder and extension.
std::string stem_of(const std::string& path);

/// `path` with another extension if such a file stands beside it, else "".
std::string companion(const std::string& path, std::string_view extension);

}  // namespace convscope::readers
