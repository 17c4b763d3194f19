#include "tiling_layers.h"

#include <map>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"

namespace convscope::ui::test {

std::shared_ptr<const engine::CompiledNetwork> nmp_run(const std::string& sample) {
  Diagnostics diagnostics;
  const std::string path = std::string(CONVSCOPE_SOURCE_DIR "/samples/networks/") + sample + ".xml";
  const auto network = catalogue::standard()->read_network(path, diagnostics);
  const auto target = catalogue::standard()->find_target("nmp");
  if (!network || !target) {
    ADD_FAILURE() << diagnostics.text();
    return nullptr;
  }
  engine::Request request{std::make_shared<const network::Network>(*network),
                          target,
                          arch::ParameterValues(target->machine()),
                          target->default_level(),
                          "none",
                          0,
                          {}};
  const auto executor = engine::make_thread_executor(1);
  target::NoCache cache;
  return std::make_shared<const engine::CompiledNetwork>(engine::compile(request, *executor, cache));
}

Snapshot nmp_snapshot(const std::string& sample, int layer) {
  Snapshot snapshot;
  snapshot.compiled = nmp_run(sample);
  snapshot.selection.layer = layer;
  return snapshot;
}

}  // namespace convscope::ui::test
