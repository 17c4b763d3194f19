#include "app/cli/console.h"

#include <cstdio>
#include <stdexcept>

#include <fmt/format.h>
#include <unistd.h>

namespace convscope::cli {

Console::Console() : terminal_(isatty(STDERR_FILENO) == 1) {}

void Console::data(std::string_view text) {
  clear_progress();
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) throw std::runtime_error("stdout can't be written");
}

void Console::report(const Diagnostics& diagnostics) {
  if (diagnostics.empty()) return;
  clear_progress();
  std::fputs(diagnostics.text().c_str(), stderr);
}

void Console::error(const std::string& message) {
  Diagnostics diagnostics;
  diagnostics.error({}, message);
  report(diagnostics);
}

ProgressCallback Console::progress() {
  if (!terminal_ && !progress_forced_) return {};
  return [this](double fraction, const std::string& activity) { show(fraction, activity); };
}

void Console::show(double fraction, const std::string& activity) {
  const std::lock_guard lock(mutex_);
  const std::string line = fmt::format("[{:3.0f} %] {}", fraction * 100, activity);
  // On a terminal one line is overwritten: back to its start, erase to its end.
  std::fputs(terminal_ ? fmt::format("\r{}\x1b[K", line).c_str() : (line + '\n').c_str(), stderr);
  std::fflush(stderr);
  line_open_ = terminal_;
}

void Console::clear_progress() {
  const std::lock_guard lock(mutex_);
  if (line_open_) std::fputs("\r\x1b[K", stderr);
  line_open_ = false;
}

}  // namespace convscope::cli
