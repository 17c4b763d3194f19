#pragma once
// What every child that runs programs does before and after: where it runs, and where its answer goes.

#include <array>
#include <cstddef>
#include <string>

namespace convscope::cpu {

/// On the core that we were put on, which was idle enough; on so many as there are threads, that one among them.
void pin(int threads);

/// What is freed is used again instead of given back: taking it anew, page after page, is slow on virtual machines.
void keep_freed_memory();

/// The answer goes where a program that prints doesn't write: its stdout and stderr are nowhere. Returns the
/// descriptor of what was stdout.
int set_answer_aside();

/// All of it, unless nobody reads any more.
void send_answer(int descriptor, const std::string& text);

/// A line that a signal handler puts together: what doesn't fit is left out.
class ShortLine {
 public:
  void put(const char* text);
  /// False if nobody reads.
  bool write_to(int descriptor) const;

 private:
  std::array<char, 1024> line_{};
  std::size_t length_ = 0;
};

}  // namespace convscope::cpu
