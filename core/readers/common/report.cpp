#include "core/readers/common/report.h"

#include <filesystem>

#include "core/base/text.h"

namespace convscope::readers {

void Report::error(int line, std::string element, std::string what, std::string expected, std::string hint) {
  diagnostics_.error(at(line, std::move(element)), std::move(what), std::move(expected), std::move(hint));
}

void Report::warning(int line, std::string element, std::string what, std::string expected, std::string hint) {
  diagnostics_.warning(at(line, std::move(element)), std::move(what), std::move(expected), std::move(hint));
}

void Report::note(int line, std::string element, std::string what) {
  diagnostics_.note(at(line, std::move(element)), std::move(what));
}

std::string clean_name(std::string_view text) {
  constexpr std::size_t longest = 200;
  return clean(text.substr(0, longest));
}

std::string stem_of(const std::string& path) {
  return clean_name(std::filesystem::path(path).stem().string());
}

std::string companion(const std::string& path, std::string_view extension) {
  std::filesystem::path beside(path);
  beside.replace_extension(extension);
  std::error_code failure;
  return std::filesystem::is_regular_file(beside, failure) ? beside.string() : std::string();
}

}  // namespace convscope::readers
