#pragma once
// Whether iterations that threads divide are independent of each other, while a tree is interpreted.

#include <cstdint>
#include <string>
#include <vector>

namespace convscope::cpu {

/// Who touched the elements of one tensor last, while a divided loop runs.
class Races {
 public:
  /// `own`: each thread has a copy of its own.
  Races(std::size_t elements, bool own) : own_(own), elements_(elements) {}

  /// A divided loop begins its iteration `iteration`; loops are numbered from 1 on in the order in which they run.
  void enter(std::int64_t loop, std::int64_t iteration) { now_ = {loop, iteration}; }
  /// Of all divided loops.
  void leave() { now_ = {}; }

  /// Why `count` elements from `first` on may not be read now; empty if they may.
  std::string read(std::size_t first, std::size_t count);
  std::string write(std::size_t first, std::size_t count);

 private:
  /// Of a divided loop; loop 0: outside of all.
  struct Iteration {
    std::int64_t loop = 0, number = 0;
    bool operator==(const Iteration&) const = default;
  };
  struct Element {
    Iteration writer, reader;
    bool several_readers = false;
    bool written = false;
  };
  /// Another iteration of the loop that runs now.
  bool beside(const Iteration& one) const { return now_.loop > 0 && one.loop == now_.loop && one != now_; }
  std::string fault_of_read(const Element& element) const;
  std::string fault_of_write(const Element& element) const;

  bool own_;
  std::vector<Element> elements_;
  Iteration now_;
};

}  // namespace convscope::cpu
