#include "app/cli/console.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "core/base/shortened.h"
#include "core/base/text.h"

namespace convscope::cli {

Console::Console() : terminal_(isatty(STDERR_FILENO) == 1) {}

void Console::data(std::string_view text) {
  clear_progress();
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) throw OutputFailed(std::strerror(errno));
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

void Console::tell(std::string_view lines) {
  clear_progress();
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    std::fputs((clean(lines.substr(begin, end - begin)) + '\n').c_str(), stderr);
    begin = end + 1;
  }
}

ProgressCallback Console::progress() {
  if (!terminal_ && !progress_forced_) return {};
  return [this](double fraction, const std::string& activity) { show(fraction, activity); };
}

void Console::show(double fraction, const std::string& activity) {
  const std::lock_guard lock(mutex_);
  const std::string line = fmt::format("[{:3.0f} %] {}", fraction * 100, clean(shortened(activity)));
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
