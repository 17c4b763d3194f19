#include "tests/ui/made_up_trace.h"

#include <chrono>
#include <thread>

#include "core/base/cancellation.h"

namespace convscope::ui::test {
namespace {

using artifact::AccessKind;
using artifact::CycleChanges;
using artifact::StateFormat;
using artifact::StateKind;
using artifact::UnitActivity;

constexpr std::int64_t image_columns = 16, image_rows = 24, output_columns = 8;

constexpr std::int64_t nothing_told = -10;
thread_local std::int64_t told_last = nothing_told;  ///< cycle

class MadeUpTrace : public target::Trace {
 public:
  MadeUpTrace(TraceGate* gate, std::string refusal) : gate_(gate), refusal_(std::move(refusal)) {
    schema_.units = {"LOAD", "MAC"};
    schema_.blocks = {
        {.name = "step", .kind = StateKind::counter},
        {.name = "registers", .columns = 4, .bits = 16, .help = "loaded one after the other"},
        {.name = "sum", .bits = 32},
        {.name = "queue", .kind = StateKind::queue, .rows = 3, .format = StateFormat::text},
        {.name = "window", .kind = StateKind::window, .columns = 5, .bits = 8},
        {.name = "image", .kind = StateKind::image, .rows = image_rows, .columns = image_columns, .bits = 8},
        {.name = "output",
         .kind = StateKind::image,
         .rows = image_rows,
         .columns = output_columns,
         .bits = 8,
         .output = true},
        {.name = "buffer",
         .kind = StateKind::memory,
         .rows = 512,
         .columns = 8,
         .bits = 8,
         .format = StateFormat::hexadecimal}};
  }

  const artifact::StateSchema& schema() const override { return schema_; }
  std::int64_t cycles() const override { return made_up_cycles; }
  const std::string& refusal() const override { return refusal_; }
  std::int64_t checkpoint_bytes() const override { return 0; }

  artifact::StateValues values(std::int64_t cycle, int block, std::int64_t first, std::int64_t count) const override {
    told_last = nothing_told;
    artifact::StateValues values;
    for (std::int64_t i = first; i < first + count; ++i) {
      if (block == made_up_queue)
        values.texts.push_back(i < (cycle + 3) / 3 % 3 ? "job " + std::to_string(i) : std::string());
      else
        values.numbers.push_back(element(cycle, block, i));
    }
    return values;
  }

  std::vector<artifact::WindowPixel> window(std::int64_t cycle) const override {
    std::vector<artifact::WindowPixel> pixels;
    for (int i = 0; i < 5; ++i)
      pixels.push_back({i, made_up_image, 4 + i, static_cast<std::int32_t>(cycle / 3 % image_columns), i < 4 ? i : -1});
    return pixels;
  }

  std::string text(int unit, const CycleChanges& changes) const override {
    const std::int64_t phase = changes.cycle % 3;
    if (unit == 0) return phase == 0 ? "rd a" : phase == 1 ? "waits for MAC" : "the port is taken";
    return phase == 0 ? "has nothing to add" : phase == 1 ? "mac" : "act";
  }
  std::string instruction(std::int64_t address) const override { return "word " + std::to_string(address); }

 private:
  static std::int64_t element(std::int64_t cycle, int block, std::int64_t index) {
    const std::int64_t step = cycle < 0 ? -1 : cycle / 3;
    switch (block) {
      case made_up_step:
        return step + 1;
      case made_up_registers:
        return step < index ? artifact::no_value : step - (step - index) % 4;
      case made_up_sum:
        return (cycle + 2) / 3;
      case made_up_image:
        return (index / image_columns * 16 + index % image_columns) % 256;
      case made_up_output:
        return index < (cycle + 1) / 3 ? 255 - index : artifact::no_value;
      default:
        return index * 3 % 256;
    }
  }

  /// A search hears of one cycle after the other, a picture of one, before it asks for values: only searches wait.
  void tell(std::int64_t cycle, CycleChanges& changes) const override {
    const bool searches = cycle == told_last + 1;
    told_last = cycle;
    if (gate_ != nullptr && searches) gate_->pass({});
    const std::int64_t step = cycle / 3, phase = cycle % 3;
    changes = {};
    changes.cycle = cycle;
    changes.address = phase;
    changes.iteration = step;
    if (phase == 0)
      changes.accesses = {{made_up_buffer, AccessKind::read, 8 * (20 * step % 512), 8},
                          {made_up_registers, AccessKind::write, step % 4, 1},
                          {made_up_step, AccessKind::write, 0, 1}};
    if (phase == 1)
      changes.accesses = {{made_up_registers, AccessKind::read, step % 4, 1}, {made_up_sum, AccessKind::write, 0, 1}};
    if (phase == 2)
      changes.accesses = {{made_up_sum, AccessKind::read, 0, 1}, {made_up_output, AccessKind::write, step, 1}};
    changes.units = {{phase == 0   ? UnitActivity::busy
                      : phase == 1 ? UnitActivity::idle
                                   : UnitActivity::stalled,
                      0},
                     {phase == 0 ? UnitActivity::idle : UnitActivity::busy, 0}};
  }

  TraceGate* gate_;
  std::string refusal_;
  artifact::StateSchema schema_;
};

}  // namespace

void TraceGate::pass(const std::stop_token& stop) {
  ++waiting;
  while (shut && !stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  --waiting;
  if (stop.stop_requested()) ++stopped;
  throw_if_stopped(stop);
}

std::shared_ptr<const target::Trace> made_up_trace(TraceGate* searching, std::string refusal) {
  return std::make_shared<const MadeUpTrace>(searching, std::move(refusal));
}

bool MadeUpTools::verify(std::string_view content, const std::string& file, Diagnostics& diagnostics) const {
  if (!recognizes(content)) diagnostics.error({file, 0, {}}, "no made-up program");
  return recognizes(content);
}

std::shared_ptr<const target::Trace> MadeUpTools::trace(std::string_view content, const std::string& file,
                                                        const target::OptionValues& options, std::int64_t,
                                                        const std::stop_token& stop, Diagnostics& diagnostics) const {
  if (!verify(content, file, diagnostics)) return nullptr;
  ++opened;
  opening.pass(stop);
  if (const std::string& why = options.text("refuse"); !why.empty()) {
    diagnostics.error({file, 0, {}}, why);
    return nullptr;
  }
  return made_up_trace(&searching);
}

}  // namespace convscope::ui::test
