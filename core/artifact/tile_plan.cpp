#include "core/artifact/tile_plan.h"

#include <cassert>
#include <utility>

namespace convscope::artifact {

const char* tile_tensor_name(TileTensor tensor) {
  if (tensor == TileTensor::input) return "IN";
  return tensor == TileTensor::weights ? "W" : "OUT";
}

TilePlan::TilePlan(std::string title, std::vector<TiledTensor> tensors, std::vector<TileLoop> loops,
                   std::vector<TileMemory> memories, int groups, int workers, int burst_bytes, StepMaker make)
    : title_(std::move(title)),
      tensors_(std::move(tensors)),
      loops_(std::move(loops)),
      memories_(std::move(memories)),
      groups_(groups),
      workers_(workers),
      burst_bytes_(burst_bytes),
      make_(std::move(make)) {
  assert(tensors_.size() == 3 && burst_bytes_ > 0);
}

std::int64_t TilePlan::steps() const {
  std::int64_t product = 1;
  for (const TileLoop& loop : loops_) product *= loop.trips;
  return product;
}

std::vector<std::int64_t> TilePlan::index_of(std::int64_t number) const {
  assert(number >= 0 && number < steps());
  std::vector<std::int64_t> index(loops_.size());
  for (std::size_t i = loops_.size(); i-- > 0; number /= loops_[i].trips) index[i] = number % loops_[i].trips;
  return index;
}

std::int64_t TilePlan::number_of(const std::vector<std::int64_t>& index) const {
  assert(index.size() == loops_.size());
  std::int64_t number = 0;
  for (std::size_t i = 0; i < loops_.size(); ++i) number = number * loops_[i].trips + index[i];
  return number;
}

TileStep TilePlan::step(std::int64_t number) const {
  TileStep step = make_(index_of(number));
  step.index = index_of(number);
  return step;
}

TileRuns runs_of(const TileBox& box, const TiledTensor& tensor) {
  if (box.elements() == 0) return {};
  TileRuns runs{box.size[0] * box.size[1], box.size[2]};
  if (box.size[2] != tensor.size[2]) return runs;
  runs = {box.size[0], box.size[1] * box.size[2]};
  if (box.size[1] != tensor.size[1]) return runs;
  return {1, box.elements()};
}

TileRun run_of(const TileBox& box, const TiledTensor& tensor, std::int64_t i) {
  const TileRuns runs = runs_of(box, tensor);
  assert(i >= 0 && i < runs.count);
  const std::int64_t row = box.size[0] * box.size[1] * i / runs.count;
  const std::int64_t map = box.begin[0] + row / box.size[1], line = box.begin[1] + row % box.size[1];
  return {(map * tensor.size[1] + line) * tensor.size[2] + box.begin[2], runs.length};
}

std::int64_t bursts_of(const TileBox& box, const TiledTensor& tensor, int burst_bytes) {
  const TileRuns runs = runs_of(box, tensor);
  return runs.count * ((runs.length * tensor.element_bytes + burst_bytes - 1) / burst_bytes);
}

}  // namespace convscope::artifact
