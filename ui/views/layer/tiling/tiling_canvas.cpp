// Makes painters of the tiling view from a snapshot; on any thread.

#include <chrono>

#include "ui/parts/canvas/message_painter.h"
#include "ui/parts/drawing.h"
#include "ui/views/layer/tiling/tiling_facts.h"
#include "ui/views/layer/tiling/tiling_painter.h"

namespace convscope::ui {
namespace {

constexpr std::chrono::seconds patience{1};

using Tools = std::unique_ptr<const target::TilingTools>;

/// The layer's own tiling as its compiler describes it, for the names and ranges of its sizes.
target::Alternative chosen(const target::CompiledLayer& layer, const Tools& tools,
                           const std::vector<target::Alternative>& compared, const std::stop_token& stop) {
  for (const target::Alternative& each : compared) {
    if (each.chosen) return each;
  }
  target::Alternative own;
  if (tools) {
    for (const std::string& strategy : tools->strategies()) {
      target::Alternative each = tools->best(strategy, stop);
      if (each.chosen) return each;
    }
  }
  own.metrics = layer.metrics();
  own.fits = true;
  return own;
}

std::vector<target::Alternative> compare_strategies(const Tools& tools, const std::stop_token& stop) {
  std::vector<target::Alternative> compared;
  const auto begun = std::chrono::steady_clock::now();
  for (const std::string& strategy : tools->strategies()) {
    if (std::chrono::steady_clock::now() - begun > patience) {
      compared.push_back({strategy, {}, {}, false, false, "left out: the comparison took too long", nullptr});
      continue;
    }
    compared.push_back(tools->best(strategy, stop));
  }
  return compared;
}

/// The tiling that a choice means; nothing if it can't be drawn.
std::optional<target::Alternative> wanted(const Tools& tools, const TilingChoice& choice, const std::stop_token& stop) {
  if (!tools || choice.kind == TilingChoice::Kind::chosen) return std::nullopt;
  const bool by_hand = choice.kind == TilingChoice::Kind::by_hand;
  target::Alternative found =
      by_hand ? tools->evaluate(choice.strategy, choice.sizes, stop) : tools->best(choice.strategy, stop);
  return found.plan ? std::optional(std::move(found)) : std::nullopt;
}

}  // namespace

std::unique_ptr<CanvasPainter> make_tiling_canvas(const Snapshot& snapshot, const TilingChoice& choice, bool compare,
                                                  const std::stop_token& stop) {
  const auto layer = snapshot.layer();
  TilingScene::Content content;
  if (layer && layer->mapped()) content.plan = layer->tile_plan();
  if (!content.plan || content.plan->steps() < 1) {
    return std::make_unique<MessagePainter>(missing_message(snapshot, QStringLiteral("tiling")));
  }
  const Tools tools = layer->tiling_tools();
  if (tools && compare) content.compared = compare_strategies(tools, stop);
  auto other = choice.layer == snapshot.selection.layer ? wanted(tools, choice, stop) : std::nullopt;
  if (other) {
    content.plan = other->plan;
    content.choice = choice;
  }
  content.shown = other ? std::move(*other) : chosen(*layer, tools, content.compared, stop);
  content.figures = tiling_figures(snapshot);
  content.explanation = layer->explanation();
  content.subject.layer = snapshot.selection.layer;
  content.subject.program = snapshot.program();
  const auto& run = snapshot.compiled ? snapshot.compiled : snapshot.previous;
  const auto index = static_cast<std::size_t>(snapshot.selection.layer);
  if (run && run->network && index < run->network->layers.size()) content.layer_name = run->network->layers[index].name;
  auto painter = std::make_unique<TilingPainter>(std::make_shared<const TilingScene>(std::move(content)));
  painter->select(snapshot.selection);
  return painter;
}

std::unique_ptr<ViewPainter> make_tiling_painter(const Snapshot& snapshot) {
  return make_tiling_canvas(snapshot, {}, true);
}

}  // namespace convscope::ui
