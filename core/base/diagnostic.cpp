#include "core/base/diagnostic.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/shortened.h"
#include "core/base/text.h"

namespace convscope {
namespace {

const char* name(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "error";
}

// Diagnostics are one line each, and text that any terminal and any window can show, whatever a hostile file put into a
// name or a user into a file's name.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return clean(text);
}

/// Room for a list of what was expected, but not for names of megabytes.
std::string part(const std::string& text) {
  constexpr std::size_t longest_part = 20'000;
  return shortened(text, longest_part);
}

}  // namespace

std::string Diagnostic::text() const {
  std::string result;
  if (!where.file.empty()) result += where.file + ":";
  if (where.line > 0) result += fmt::format("{}:", where.line);
  if (!result.empty()) result += ' ';
  result += fmt::format("{}: ", name(severity));
  if (!where.element.empty()) result += part(where.element) + ": ";
  result += part(what);
  if (!expected.empty()) result += "; expected " + part(expected);
  if (!hint.empty()) result += "; hint: " + part(hint);
  return one_line(std::move(result));
}

void Diagnostics::add(Diagnostic diagnostic) {
  std::size_t& found = counts_[static_cast<std::size_t>(diagnostic.severity)];
  if (++found > cap) return;
  if (found == cap) diagnostic.hint = fmt::format("further {}s are not listed", name(diagnostic.severity));
  items_.push_back(std::move(diagnostic));
}

void Diagnostics::append(const Diagnostics& other) {
  const std::array<std::size_t, 3> found = counts_;
  for (const Diagnostic& diagnostic : other.items_) add(diagnostic);
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] = found[i] + other.counts_[i];
}

void Diagnostics::error(Location where, std::string what, std::string expected, std::string hint) {
  add({Severity::error, std::move(where), std::move(what), std::move(expected), std::move(hint)});
}

void Diagnostics::warning(Location where, std::string what, std::string expected, std::string hint) {
  add({Severity::warning, std::move(where), std::move(what), std::move(expected), std::move(hint)});
}

void Diagnostics::note(Location where, std::string what) {
  add({Severity::note, std::move(where), std::move(what), {}, {}});
}

std::string Diagnostics::text() const {
  std::string result;
  for (const Diagnostic& diagnostic : items_) result += diagnostic.text() + '\n';
  return result;
}

}  // namespace convscope
