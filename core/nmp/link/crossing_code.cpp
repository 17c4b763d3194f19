#include "core/nmp/link/crossing_code.h"

#include <utility>

#include "core/nmp/generate/code_writer.h"

namespace convscope::nmp {
namespace {

/// Behind those of a layer's code.
namespace semaphore {
enum : int { layer_done = 6, go_on = 7, told_now = 8, told_before = told_now + crossing_semaphores };
}

class CrossingWriter {
 public:
  CrossingWriter(const Machine& machine, int number, int first_byte)
      : tlts_(machine.tlts),
        this_(number % crossing_semaphores),
        last_((number + crossing_semaphores - 1) % crossing_semaphores),
        first_byte_(first_byte) {}

  std::vector<EncodedInstruction> write() {
    w_.constant(one, 1);
    if (tlts_ > 1) {
      w_.load(is_leader, zero, 0);
      w_.branch_if_equal(is_leader, one, leads_);
      w_.post(semaphore::layer_done, one);  // to TLT 0
      w_.wait(semaphore::go_on, one);
      w_.jump(over_);
    }
    w_.place(leads_);
    lead();
    w_.place(over_);
    w_.begin(CodeRange::Kind::setup);
    Program program;
    w_.finish(program);
    return std::move(program.code);
  }

 private:
  enum : Register { zero, one = 22, is_leader, words, count, tles };

  void lead() {
    const auto all = static_cast<std::uint32_t>((std::uint64_t{1} << static_cast<unsigned>(tlts_)) - 1);
    if (tlts_ > 1) {
      w_.constant(count, static_cast<std::uint32_t>(tlts_ - 1));
      w_.wait(semaphore::layer_done, count);
    }
    w_.constant(words, static_cast<std::uint32_t>(first_byte_));
    tell(0, semaphore::told_now + this_);
    tell(1, semaphore::told_before + this_);
    wait_for(2, semaphore::told_now + this_);
    wait_for(3, semaphore::told_before + last_);
    if (tlts_ == 1) return;
    w_.constant(count, all - 1);
    w_.post(semaphore::go_on, count);
  }

  void tell(int word, int semaphore) {
    w_.load(tles, words, word);
    w_.post_to_tles(semaphore, one, tles);
  }

  void wait_for(int word, int semaphore) {
    const CodeWriter::Label none = w_.label();
    w_.load(count, words, word);
    w_.branch_if_equal(count, zero, none);
    w_.wait(semaphore, count);
    w_.place(none);
  }

  int tlts_, this_, last_, first_byte_;
  CodeWriter w_;
  const CodeWriter::Label leads_ = w_.label(), over_ = w_.label();
};

}  // namespace

std::array<std::uint32_t, crossing_words> leader_words(const Crossing::OfTle& tle) {
  return {tle.tells_now, tle.tells_next, static_cast<std::uint32_t>(tle.waits_now),
          static_cast<std::uint32_t>(tle.waits_before)};
}

std::vector<EncodedInstruction> crossing_code(const Machine& machine, int number, int first_byte) {
  return CrossingWriter(machine, number, first_byte).write();
}

}  // namespace convscope::nmp
