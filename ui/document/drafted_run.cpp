#include "ui/document/drafted_run.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

#include "core/engine/with_layer.h"
#include "core/target/drafts.h"
#include "ui/words/text.h"
#include "ui/words/translated.h"

namespace convscope::ui {
namespace {

int layer_of(const network::Network& network, const std::string& name) {
  const auto found = std::find_if(network.layers.begin(), network.layers.end(),
                                  [&](const network::Layer& each) { return each.name == name; });
  return found == network.layers.end() ? -1 : static_cast<int>(found - network.layers.begin());
}

DraftedRun refused(const Diagnostics& diagnostics) {
  return {nullptr, diagnostics.empty() ? translated("its schedule makes no program")
                                       : to_text(diagnostics.items().front().what)};
}

}  // namespace

DraftedRun with_draft(const engine::CompiledNetwork& run, const schedule::DraftFile& file,
                      const std::stop_token& stop) {
  const int layer = layer_of(*run.network, file.origin.layer);
  const auto compiled = layer < 0 ? nullptr : run.layers[static_cast<std::size_t>(layer)];
  const auto tools = compiled && !run.linked ? target::draft_tools(*compiled, file.origin.program) : nullptr;
  if (!tools)
    return {nullptr, translated("layer %1 has no loop that can be scheduled by hand").arg(to_text(file.origin.layer))};
  Diagnostics diagnostics;
  const auto draft = schedule::draft_of(file, tools->problem(), {}, diagnostics);
  auto drafted = draft ? tools->layer_with(*draft, stop, diagnostics) : nullptr;
  if (!drafted) return refused(diagnostics);
  return {std::make_shared<const engine::CompiledNetwork>(engine::with_layer(run, layer, std::move(drafted))), {}};
}

}  // namespace convscope::ui
