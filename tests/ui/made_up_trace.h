#pragma once
// A small made-up machine cycle by cycle, whose state anyone can compute, and which can be made to wait.

#include <atomic>
#include <memory>
#include <vector>

#include "core/target/programs.h"

namespace convscope::ui::test {

/// Blocks of the made-up machine, in its schema's order.
enum MadeUpBlock : int {
  made_up_step,       ///< counter: steps begun
  made_up_registers,  ///< four; step k loads k into k modulo 4
  made_up_sum,        ///< multiply-accumulates so far
  made_up_queue,      ///< texts; as many as the step's number modulo 3
  made_up_window,     ///< five pixels of a column of the image, the first four with lanes
  made_up_image,      ///< 24 x 16 pixels, each row * 16 + column
  made_up_output,     ///< 24 x 8 pixels, one a step, from the left; pixel p is 255 - p
  made_up_buffer      ///< 512 words of 8, never written; element e is 3 * e modulo 256
};
inline constexpr std::int64_t made_up_cycles = 66;

/// A gate that work waits at while it is shut; work that is stopped there throws Cancelled.
struct TraceGate {
  std::atomic<bool> shut{false};
  std::atomic<int> waiting{0}, stopped{0};
  void pass(const std::stop_token& stop);
};

/// Three cycles a step: LOAD works in the first and is stalled in the last, MAC works in the others. `refusal` as
/// Trace::refusal.
std::shared_ptr<const target::Trace> made_up_trace(TraceGate* searching = nullptr, std::string refusal = {});

/// Knows programs that begin with "made-up run"; option `limit` is a number that changes nothing, option `refuse` says
/// why it is refused.
class MadeUpTools : public target::ProgramTools {
 public:
  bool recognizes(std::string_view content) const override { return content.starts_with("made-up run"); }
  bool verify(std::string_view content, const std::string& file, Diagnostics& diagnostics) const override;
  target::SimulationResult simulate(std::string_view, const std::string&, const target::OptionValues&,
                                    const std::stop_token&, Diagnostics&) const override {
    return {};
  }
  std::optional<std::string> assemble(std::string_view, const std::string&, Diagnostics&) const override {
    return std::nullopt;
  }
  const std::vector<target::OptionDescription>* trace_options() const override { return &options_; }
  std::shared_ptr<const target::Trace> trace(std::string_view content, const std::string& file,
                                             const target::OptionValues& options, std::int64_t checkpoint_bytes,
                                             const std::stop_token& stop, Diagnostics& diagnostics) const override;

  mutable TraceGate opening, searching;
  mutable std::atomic<int> opened{0};  ///< runs so far

 private:
  const std::vector<target::OptionDescription> options_ = {
      {"limit", "Limit", "A number", target::OptionKind::integer, "1", 0, 9},
      {"refuse", "Refuse", "Why the program is refused", target::OptionKind::text, ""}};
};

}  // namespace convscope::ui::test
