#include "core/readers/darknet/weights.h"

#include <cstring>

#include <fmt/format.h>

#include "core/readers/common/maps.h"

namespace convscope::readers::darknet {

std::optional<WeightsHeader> weights_header(std::string_view bytes) {
  std::int32_t version[3] = {0, 0, 0};
  if (bytes.size() < sizeof version + sizeof(std::int32_t)) return std::nullopt;
  std::memcpy(version, bytes.data(), sizeof version);
  const std::int64_t major = version[0], minor = version[1];
  const bool wide = major * 10 + minor >= 2 && major < 1000 && minor < 1000;
  WeightsHeader header{sizeof version + (wide ? 8u : 4u), major > 1000 || minor > 1000};
  if (bytes.size() < header.bytes) return std::nullopt;
  return header;
}

void WeightOrder::assign(GraphBuilder& graph, const MappedFile& file, Report& report) const {
  const auto header = weights_header(file.bytes());
  std::int64_t needed = 0;
  bool countable = countable_ && header.has_value();
  for (const int tensor : tensors_) {
    const network::Constant* constant = graph.constant_of(tensor);
    countable = countable && constant != nullptr;
    // Each constant is below the cap and their number below 2^20, so the sum stays far from overflow.
    if (countable) needed += element_count(constant->dimensions).value_or(0);
  }
  const std::size_t held = header ? (file.bytes().size() - header->bytes) : 0;
  if (!countable || held != static_cast<std::size_t>(needed) * sizeof(float)) {
    report.warning(0, "weights", fmt::format("the weights file has {} bytes of values; it is not used", held),
                   countable ? fmt::format("{} bytes for {} values of float32", needed * 4, needed)
                             : std::string("a header and layers whose values can be counted"));
    return;
  }
  std::size_t offset = header->bytes;
  for (const int tensor : tensors_) {
    network::Constant& constant = *graph.constant_of(tensor);
    const auto size = static_cast<std::size_t>(element_count(constant.dimensions).value_or(0)) * sizeof(float);
    constant.bytes = std::as_bytes(std::span(file.bytes().substr(offset, size)));
    constant.owner = file.owner();
    offset += size;
  }
}

}  // namespace convscope::readers::darknet
