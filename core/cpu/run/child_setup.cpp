#include "core/cpu/run/child_setup.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <unistd.h>

namespace convscope::cpu {

void pin(int threads) {
  cpu_set_t allowed, chosen;
  CPU_ZERO(&chosen);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  const int here = sched_getcpu();
  CPU_SET(static_cast<std::size_t>(here), &chosen);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&chosen) < threads; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &allowed)) CPU_SET(static_cast<std::size_t>(cpu), &chosen);
  sched_setaffinity(0, sizeof chosen, &chosen);
}

void keep_freed_memory() {
  constexpr int largest = 32 << 20;  // more isn't taken
  mallopt(M_MMAP_THRESHOLD, largest);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
}

int set_answer_aside() {
  const int answer = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 100);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
  return answer;
}

void send_answer(int descriptor, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = write(descriptor, text.data() + done, text.size() - done);
    if (written <= 0) return;
    done += static_cast<std::size_t>(written);
  }
}

void ShortLine::put(const char* text) {
  const std::size_t size = std::min(std::strlen(text), line_.size() - length_);
  std::memcpy(line_.data() + length_, text, size);
  length_ += size;
}

bool ShortLine::write_to(int descriptor) const {
  return write(descriptor, line_.data(), length_) >= 0;
}

}  // namespace convscope::cpu
