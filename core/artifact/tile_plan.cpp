#include "core/artifact/tile_plan.h"

#include <cassert>
#include <utility>

namespace convscope::artifact {

const char* tile_tensor_name(TileTensor tensor) {
  if (tensor == TileTensor::input) return "IN";
  return tensor == TileTensor::weights ? "W" : "OUT";
}

TilePlan::TilePlan(std::string title, std::vector<TiledTensor> tensors, std::vector<TileLoop> loops,
                   std::vector<TileMemory> memories, int groups, int workers, int burst_bytes, StepMaker make,
                   std::size_t inner_loops, TileNames names)
    : title_(std::move(title)),
      tensors_(std::move(tensors)),
      loops_(std::move(loops)),
      memories_(std::move(memories)),
      groups_(groups),
      workers_(workers),
      burst_bytes_(burst_bytes),
      make_(std::move(make)),
      inner_loops_(inner_loops),
      names_(std::move(names)) {
  assert(tensors_.size() == 3 && burst_bytes_ >= 0 && inner_loops_ <= loops_.size());
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

std::int64_t TilePlan::steps_per_tile() const {
  std::int64_t product = 1;
  for (std::size_t i = loops_.size() - inner_loops_; i < loops_.size(); ++i) product *= loops_[i].trips;
  return product;
}

std::int64_t TilePlan::step_of(OperationKey operation, std::int64_t iteration) const {
  const auto found = tile_operation(operation);
  const std::int64_t per_tile = steps_per_tile(), tile = iteration < 0 ? 0 : iteration;
  if (!found || found->position >= per_tile || tile >= steps() / per_tile) return -1;
  return tile * per_tile + found->position;
}

Ref TilePlan::ref_of(std::int64_t step, TileOperation operation) const {
  assert(step >= 0 && step < steps());
  operation.position = step % steps_per_tile();
  Ref ref;
  ref.operation = key_of(operation);
  ref.iteration = step / steps_per_tile();
  return ref;
}

namespace {

// Key: 8 bits that mark a tile operation, 3 of kind, 2 of tensor, 11 of group + 1, 40 of position.
constexpr OperationKey key_mark = 0x71ULL << 56;
constexpr int kind_shift = 53, tensor_shift = 51, group_shift = 40;
constexpr OperationKey work_kind = 4;

}  // namespace

OperationKey key_of(const TileOperation& o) {
  assert(o.position >= 0 && o.position < std::int64_t{1} << group_shift && o.group >= -1 && o.group < 2047);
  const OperationKey kind = o.work ? work_kind : static_cast<OperationKey>(o.move);
  const OperationKey tensor = o.work ? 0 : static_cast<OperationKey>(o.tensor);
  return key_mark | kind << kind_shift | tensor << tensor_shift |
         static_cast<OperationKey>(o.group + 1) << group_shift | static_cast<OperationKey>(o.position);
}

std::optional<TileOperation> tile_operation(OperationKey key) {
  const OperationKey kind = key >> kind_shift & 7, tensor = key >> tensor_shift & 3;
  if ((key & 0xFFULL << 56) != key_mark || kind > work_kind || tensor > 2) return std::nullopt;
  TileOperation o;
  o.work = kind == work_kind;
  if (!o.work) o.move = static_cast<TileMove>(kind);
  if (!o.work) o.tensor = static_cast<TileTensor>(tensor);
  o.group = static_cast<int>(key >> group_shift & 0x7FF) - 1;
  o.position = static_cast<std::int64_t>(key & ((1ULL << group_shift) - 1));
  return o;
}

TileRuns runs_of(const TileBox& box, const TiledTensor& tensor) {
  if (box.elements() == 0) return {};
  const auto [outer, middle, inner] = tensor.order;
  TileRuns runs{box.size[outer] * box.size[middle], box.size[inner]};
  if (box.size[inner] != tensor.size[inner]) return runs;
  runs = {box.size[outer], box.size[middle] * box.size[inner]};
  if (box.size[middle] != tensor.size[middle]) return runs;
  return {1, box.elements()};
}

TileRun run_of(const TileBox& box, const TiledTensor& tensor, std::int64_t i) {
  const TileRuns runs = runs_of(box, tensor);
  assert(i >= 0 && i < runs.count);
  const auto [outer, middle, inner] = tensor.order;
  const std::int64_t line = box.size[outer] * box.size[middle] * i / runs.count;
  const std::int64_t first = box.begin[outer] + line / box.size[middle];
  const std::int64_t second = box.begin[middle] + line % box.size[middle];
  return {(first * tensor.size[middle] + second) * tensor.size[inner] + box.begin[inner], runs.length};
}

std::array<std::int64_t, 3> element_at(const TiledTensor& tensor, std::int64_t place) {
  const auto [outer, middle, inner] = tensor.order;
  std::array<std::int64_t, 3> element{};
  element[inner] = place % tensor.size[inner];
  element[middle] = place / tensor.size[inner] % tensor.size[middle];
  element[outer] = place / tensor.size[inner] / tensor.size[middle];
  return element;
}

std::int64_t bursts_of(const TileBox& box, const TiledTensor& tensor, int burst_bytes) {
  if (burst_bytes == 0) return 0;
  const TileRuns runs = runs_of(box, tensor);
  return runs.count * ((runs.length * tensor.element_bytes + burst_bytes - 1) / burst_bytes);
}

}  // namespace convscope::artifact
