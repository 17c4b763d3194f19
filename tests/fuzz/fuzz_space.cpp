// Any bytes as a space: one whose points can be built, or an error.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/explore/space/space_reader.h"
#include "core/nve/nve_target.h"
#include "tests/fuzz/require.h"

using convscope::fuzz::require;

namespace {

using namespace convscope;

/// One target, one preset, one network, all in memory.
class FuzzSources : public explore::SpaceSources {
 public:
  std::shared_ptr<const target::Target> target(std::string_view id) const override {
    return id == "nve" ? nve_ : nullptr;
  }
  std::optional<std::string> preset(const std::string&, const target::Target&, const Location&,
                                    Diagnostics&) const override {
    return "<preset target='nve' name='default'/>";
  }
  std::optional<HashedNetwork> network(const std::string&, const std::optional<network::InputSizes>&,
                                       Diagnostics&) const override {
    auto network = std::make_shared<network::Network>();
    network->layers.push_back({.name = "L1", .in = {1, {3, 3}}, .out = {1, {1, 1}}, .kernel = {3, 3}, .inputs = {{0}}});
    return HashedNetwork{network, "0"};
  }

 private:
  std::shared_ptr<const target::Target> nve_ = nve::make_nve_target();
};

void check_point(const explore::Space& space, std::uint64_t index) {
  const explore::Point point = space.point(index);
  require(point.index == index && space.index(space.place(index)) == index, "a point is built from its number");
  Diagnostics diagnostics;
  require(!point.removed.empty() || point.machine.check(diagnostics), "a machine that is allowed, or a reason");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const FuzzSources sources;
  Diagnostics diagnostics;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto space = explore::read_space(text, "fuzz.xml", sources, diagnostics);
  require(space.has_value() != diagnostics.has_errors(), "a space or an error");
  if (!space) return 0;
  require(space->size() > 0 && space->size() <= explore::largest_space, "a size within limits");
  for (const std::uint64_t index : {std::uint64_t{0}, space->size() / 2, space->size() - 1}) check_point(*space, index);
  return 0;
}
