#include "core/readers/torch7/constants.h"

#include <cstring>

namespace convscope::readers::torch7 {
namespace {

std::size_t width_of(const Array& array) {
  return static_cast<std::size_t>(network::element_bits(array.type) / 8);
}

/// Elements in the order of the dimensions, the last running fastest.
std::vector<std::byte> gather(const StoredTensor& tensor) {
  const std::size_t width = width_of(tensor.array);
  const TensorLayout& layout = tensor.layout;
  const auto count = static_cast<std::size_t>(tensor.elements());
  std::vector<std::byte> bytes(count * width);
  std::vector<std::int64_t> position(layout.dimensions.size(), 0);
  std::int64_t from = layout.offset;
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(bytes.data() + i * width, tensor.array.bytes.data() + static_cast<std::size_t>(from) * width, width);
    for (std::size_t axis = position.size(); axis-- > 0;) {
      from += layout.strides[axis];
      if (++position[axis] < layout.dimensions[axis]) break;
      from -= layout.strides[axis] * layout.dimensions[axis];
      position[axis] = 0;
    }
  }
  return bytes;
}

std::optional<std::int64_t> integer_of(double number) {
  if (!(number >= -9e15 && number <= 9e15) || number != static_cast<double>(static_cast<std::int64_t>(number)))
    return std::nullopt;
  return static_cast<std::int64_t>(number);
}

}  // namespace

std::int64_t StoredTensor::elements() const {
  std::int64_t count = 1;
  for (const std::int64_t dimension : layout.dimensions) {
    if (count > network::element_cap / dimension) return network::element_cap + 1;
    count *= dimension;
  }
  return count;
}

bool StoredTensor::contiguous() const {
  std::int64_t expected = 1;
  for (std::size_t axis = layout.dimensions.size(); axis-- > 0;) {
    if (layout.dimensions[axis] != 1 && layout.strides[axis] != expected) return false;
    expected *= layout.dimensions[axis];
  }
  return true;
}

std::optional<StoredTensor> stored_tensor(const Tables& tables, const Value& value) {
  const Object* object = tables.object_of(value);
  if (object == nullptr || object->kind != ObjectKind::tensor) return std::nullopt;
  const Object* storage = tables.object_of(object->values.front());
  const TensorLayout& layout = tables.archive().layouts[static_cast<std::size_t>(object->detail)];
  if (storage == nullptr || layout.dimensions.empty()) return std::nullopt;
  for (const std::int64_t dimension : layout.dimensions)
    if (dimension == 0) return std::nullopt;
  return StoredTensor{layout, tables.archive().arrays[static_cast<std::size_t>(storage->detail)]};
}

bool give_tensor(const StoredTensor& tensor, network::Constant& constant, std::size_t& budget) {
  const std::size_t width = width_of(tensor.array);
  const std::size_t size = static_cast<std::size_t>(tensor.elements()) * width;
  if (tensor.contiguous()) {
    constant.bytes = tensor.array.bytes.subspan(static_cast<std::size_t>(tensor.layout.offset) * width, size);
    constant.owner = tensor.array.owner;
  } else {
    if (size > budget) return false;
    budget -= size;
    auto gathered = std::make_shared<const std::vector<std::byte>>(gather(tensor));
    constant.bytes = *gathered;
    constant.owner = std::move(gathered);
  }
  constant.type = tensor.array.type;
  return true;
}

std::optional<std::vector<std::int64_t>> integers_of(Tables& tables, const Value& value, std::size_t limit) {
  const Object* object = tables.object_of(value);
  if (object == nullptr) return std::nullopt;
  network::Constant constant;
  std::size_t budget = limit * sizeof(std::int64_t);
  if (object->kind == ObjectKind::storage) {
    const Array& array = tables.archive().arrays[static_cast<std::size_t>(object->detail)];
    constant = {array.type, {array.count}, array.owner, array.bytes, std::nullopt};
    return constant.integers(limit);
  }
  if (const auto tensor = stored_tensor(tables, value)) {
    if (tensor->layout.dimensions.size() != 1 || !give_tensor(*tensor, constant, budget)) return std::nullopt;
    constant.dimensions = tensor->layout.dimensions;
    return constant.integers(limit);
  }
  const std::vector<Value>& list = tables.list(value);
  if (list.empty() || list.size() > limit) return std::nullopt;
  std::vector<std::int64_t> integers;
  for (const Value& entry : list) {
    const auto integer = entry.kind == Kind::number ? integer_of(entry.number) : std::nullopt;
    if (!integer) return std::nullopt;
    integers.push_back(*integer);
  }
  return integers;
}

}  // namespace convscope::readers::torch7
