#include "core/nmp/link/layer_requests.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/cancellation.h"
#include "core/base/integers.h"

namespace convscope::nmp {
namespace {

class Requester {
 public:
  Requester(const Dataflow& flow, const std::vector<const SolvedLayer*>& solved, int images, int first_byte,
            const std::vector<StepNumbers>& numbers)
      : flow_(flow), solved_(solved), images_(images), first_byte_(first_byte), numbers_(numbers) {}

  LayerRequests run(const std::stop_token& stop) {
    check_room();
    for (std::size_t i = 0; i < flow_.steps.size() && requests_.reason.empty(); ++i) {
      throw_if_stopped(stop);
      request(i);
    }
    return std::move(requests_);
  }

 private:
  const LayerWork& work_of(const LinkedStep& step) const {
    return solved_[static_cast<std::size_t>(step.layer)]->work();
  }
  const Storage& storage(int index) const { return flow_.storages[static_cast<std::size_t>(index)]; }

  void check_room() {
    constexpr std::int64_t most_bytes = std::int64_t{1} << 30, most_layers = 1 << 12;  // as in files
    const std::int64_t images = images_, element = work_of(flow_.steps.front()).machine.element_bytes;
    if (images * static_cast<std::int64_t>(flow_.steps.size()) > most_layers)
      requests_.reason = fmt::format("{} layers of {} images are more than the {} that a program has room for",
                                     flow_.steps.size(), images, most_layers);
    for (const Storage& s : flow_.storages)
      if (requests_.reason.empty() && s.elements * element * images > most_bytes)
        requests_.reason = fmt::format("'{}' of {} images needs more than the {} bytes of DRAM that a program has",
                                       s.name, images, most_bytes);
  }

  void request(std::size_t index) {
    const LinkedStep& step = flow_.steps[index];
    LayerRequest layer{index, request_of(step)};
    if (!numbers_.empty()) {
      layer.program.format = numbers_[index].format;
      layer.program.biases = numbers_[index].biases;
      if (numbers_[index].computing) layer.program.computing = *numbers_[index].computing;
    }
    Images& images = layer.program.images;
    images.input_pitch = storage(step.in.storage).elements;
    images.output_pitch = storage(step.out.storage).elements;
    const std::int64_t shares = divide_up(images_, has_offset_by_image(step) ? images_with_room(layer.program) : 1);
    const auto share = static_cast<int>(divide_up(images_, shares));
    for (images.first = 0; images.first < images_; images.first += share) {
      images.count = std::min(share, images_ - images.first);
      requests_.layers.push_back(layer);
    }
  }

  // One for outputs and residual, and none for a second operand.
  bool has_offset_by_image(const LinkedStep& step) const {
    const Convolution& c = work_of(step).convolution;
    return !c.combines() && !c.scattered &&
           (step.residual.storage < 0 || storage(step.residual.storage).elements == storage(step.out.storage).elements);
  }

  std::int64_t images_with_room(const ProgramRequest& request) const {
    const LayerPlan plan = plan_of(request, request.machine);
    const std::int64_t of_image = std::int64_t{plan.row_trips()} * row_entry::words * std::int64_t{4};
    return 1 + std::max<std::int64_t>(0, data_ram_bytes - table_places(plan, first_byte_).end) / of_image;
  }

  // Inputs that others have computed are rarely full scale: sums of them keep a bit more.
  ProgramRequest request_of(const LinkedStep& step) const {
    const LayerWork& w = work_of(step);
    Computing computing = w.computing;
    computing.rectifies |= step.rectifies;
    ProgramRequest request = request_for_seeded_data(w.name, w.convolution, computing, w.machine, w.level, w.tiling);
    NumberFormat& format = request.format;
    if (w.convolution.multiplies() && storage(step.in.storage).first_step >= 0 && format.shift > 0) {
      --format.shift;
      format.guard = guard_bits(format.shift, w.machine.element_bytes, w.machine.partial_sum_bytes);
    }
    if (w.convolution.residual) format.residual_shift = format.shift;  // maps have one format
    return request;
  }

  const Dataflow& flow_;
  const std::vector<const SolvedLayer*>& solved_;
  const int images_, first_byte_;
  const std::vector<StepNumbers>& numbers_;
  LayerRequests requests_;
};

}  // namespace

LayerRequests request_layers(const Dataflow& flow, const std::vector<const SolvedLayer*>& solved, int images,
                             int first_byte, const std::vector<StepNumbers>& numbers, const std::stop_token& stop) {
  return Requester(flow, solved, images, first_byte, numbers).run(stop);
}

}  // namespace convscope::nmp
