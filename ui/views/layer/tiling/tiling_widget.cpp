#include "ui/views/layer/tiling/tiling_widget.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/parts/canvas/canvas_panel.h"
#include "ui/views/layer/tiling/hand_tiling.h"
#include "ui/views/layer/tiling/strategy_table.h"
#include "ui/views/layer/tiling/tiling_facts.h"
#include "ui/views/layer/tiling/tiling_playback.h"

namespace convscope::ui {
namespace {

constexpr int rest_milliseconds = 60;

CanvasPanel::LongPrepare prepare(const TilingChoice& choice) {
  return [choice](const Snapshot& snapshot, const std::stop_token& stop) {
    return make_tiling_canvas(snapshot, choice, false, stop);
  };
}

std::unique_ptr<CanvasPainter> make_tiling(const Snapshot& snapshot) {
  return make_tiling_canvas(snapshot, {}, false);
}

}  // namespace

TilingWidget::TilingWidget(ViewHost& host, QWidget* parent)
    : QWidget(parent),
      host_(host),
      playback_(new TilingPlayback(this)),
      panel_(new CanvasPanel(host, this, make_tiling, ComparedArtifact::tiling)),
      below_(new QSplitter(Qt::Horizontal, this)),
      table_(new StrategyTable(below_)),
      hand_(new HandTiling(below_)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* whole = new QSplitter(Qt::Vertical, this);
  whole->setObjectName(QStringLiteral("tiling-splitter"));
  below_->setObjectName(QStringLiteral("tiling-below"));
  column->addWidget(playback_);
  column->addWidget(whole, 1);
  whole->addWidget(panel_);
  whole->addWidget(below_);
  whole->setStretchFactor(0, 1);
  whole->setStretchFactor(1, 0);
  whole->setSizes({440, 210});
  below_->setStretchFactor(0, 1);
  below_->setStretchFactor(1, 0);
  below_->setSizes({600, 240});
  setFocusProxy(&panel_->canvas());

  playback_->on_step = [this](std::int64_t step) { show_step(step); };
  playback_->on_next_load = [this](artifact::TileTensor tensor) { next_load(tensor); };
  panel_->on_painter = [this] { painter_shown(); };
  table_->on_chosen = [this](const target::Alternative& row, bool by_hand) {
    std::vector<std::int64_t> sizes;
    for (const target::TileSize& size : row.sizes) sizes.push_back(size.value);
    const int layer = host_.snapshot().selection.layer;
    if (by_hand) return choose({TilingChoice::Kind::by_hand, layer, row.strategy, sizes});
    hand_->set(row.strategy, sizes, false);
    choose({row.chosen ? TilingChoice::Kind::chosen : TilingChoice::Kind::best_of_strategy, layer, row.strategy, {}});
  };
  hand_->on_asked = [this](const std::string& strategy, const std::vector<std::int64_t>& sizes) {
    evaluate(strategy, sizes);
  };
  hand_->on_reset = [this] {
    evaluation_.forget();
    choose({});
    hand_->clear_result();
    table_->strategies().set_by_hand(std::nullopt);
    if (const target::Alternative* own = chosen()) offer_by_hand(*own);
  };
  delay_.setSingleShot(true);
  delay_.setInterval(rest_milliseconds);
  connect(&delay_, &QTimer::timeout, this, &TilingWidget::compare);
  connect(&host, &ViewHost::changed, this, &TilingWidget::follow);
  table_->set_theme(host.theme());
  hand_->set_theme(host.theme());
  panel_->canvas().installEventFilter(this);
  panel_->canvas().viewport()->installEventFilter(this);
  playback_->hide();
  below_->hide();
}

void TilingWidget::follow(Changes what) {
  if (what.testFlag(Change::theme)) {
    table_->set_theme(host_.theme());
    hand_->set_theme(host_.theme());
  }
  if (what.testAnyFlags(Change::network | Change::results | Change::selection)) layer_changed();
  if (!what.testFlag(Change::selection)) return;
  if (const TilingPainter* painter = shown(); painter && painter->step() != playback_->step()) {
    playback_->set_steps(painter->scene().plan().steps(), painter->step());
    position_ = painter->scene().position(painter->step());
  }
}

TilingPainter* TilingWidget::shown() const {
  return dynamic_cast<TilingPainter*>(panel_->canvas().painter());
}

QRectF TilingWidget::area() const {
  return QRectF(QPointF(), QSizeF(panel_->canvas().viewport()->size()));
}

const target::Alternative* TilingWidget::chosen() const {
  const auto& all = table_->strategies().alternatives();
  const auto found = std::find_if(all.begin(), all.end(), [](const auto& each) { return each.chosen; });
  return found == all.end() ? nullptr : &*found;
}

void TilingWidget::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  layer_changed();
}

// A new picture begins where the one before stood.
void TilingWidget::painter_shown() {
  TilingPainter* painter = shown();
  playback_->setVisible(painter != nullptr);
  below_->setVisible(painter != nullptr && table_->strategies().rowCount() > 0);
  if (!painter) {
    keep_drag(nullptr);
    return playback_->play(false);
  }
  const bool same_layer = position_ && choice_.layer == painter->subject().layer;
  if (same_layer) painter->set_step(painter->scene().step_at(*position_));
  keep_drag(same_layer ? painter : nullptr);
  choice_.layer = painter->subject().layer;
  position_ = painter->scene().position(painter->step());
  playback_->set_steps(painter->scene().plan().steps(), painter->step());
  panel_->canvas().viewport()->update();
}

/// A drag goes on in a new picture of the same tile, and is dropped in any other.
void TilingWidget::keep_drag(TilingPainter* painter) {
  if (dragged_ && (!painter || !painter->has_edge(*dragged_))) dragged_.reset();
}

void TilingWidget::show_step(std::int64_t step) {
  TilingPainter* painter = shown();
  if (!painter) return;
  painter->set_step(step);
  position_ = painter->scene().position(painter->step());
  panel_->canvas().viewport()->update();
}

void TilingWidget::next_load(artifact::TileTensor tensor) {
  const TilingPainter* painter = shown();
  if (!painter) return;
  const auto next = painter->scene().next_load(painter->step(), tensor);
  if (next) playback_->go_to(*next);
}

void TilingWidget::choose(const TilingChoice& choice) {
  choice_ = choice;
  choice_.layer = host_.snapshot().selection.layer;
  panel_->set_prepare(prepare(choice_));
}

void TilingWidget::layer_changed() {
  if (!isVisible()) return;
  const Snapshot& snapshot = host_.snapshot();
  if (choice_.layer != snapshot.selection.layer) {
    position_.reset();
    evaluation_.forget();
    choose({});
  }
  if (snapshot.layer() == layer_) return;
  comparison_.forget();
  delay_.start();
}

void TilingWidget::compare() {
  layer_ = host_.snapshot().layer();
  if (!layer_ || !layer_->mapped()) return compared({});
  comparison_.start<std::vector<target::Alternative>>(
      [layer = layer_](const std::stop_token& stop) {
        std::vector<target::Alternative> all;
        const auto tools = layer->tiling_tools();
        if (!tools) return all;
        for (const std::string& strategy : tools->strategies()) all.push_back(tools->best(strategy, stop));
        return all;
      },
      [this](std::vector<target::Alternative> all) { compared(std::move(all)); });
}

void TilingWidget::compared(std::vector<target::Alternative> alternatives) {
  table_->strategies().set_alternatives(std::move(alternatives), tiling_figures(host_.snapshot()));
  table_->fit_columns();
  below_->setVisible(shown() != nullptr && table_->strategies().rowCount() > 0);
  const target::Alternative* own = chosen();
  if (!own) return;
  offer_by_hand(*own);
  hand_->clear_result();
  if (choice_.kind != TilingChoice::Kind::by_hand) return;
  // The tiling by hand stays the user's; what it costs on this machine is asked for anew.
  hand_->set(choice_.strategy, choice_.sizes, false);
  evaluate(hand_->strategy(), hand_->sizes());
}

void TilingWidget::offer_by_hand(const target::Alternative& start) {
  const StrategyModel& model = table_->strategies();
  hand_->offer(model.alternatives(), start, model.figures());
}

void TilingWidget::evaluate(const std::string& strategy, const std::vector<std::int64_t>& sizes) {
  const auto layer = host_.snapshot().layer();
  if (!layer || !layer->mapped()) return;
  evaluation_.start<target::Alternative>(
      [layer, strategy, sizes](const std::stop_token& stop) {
        const auto tools = layer->tiling_tools();
        return tools ? tools->evaluate(strategy, sizes, stop) : target::Alternative{};
      },
      [this](target::Alternative result) { evaluated(std::move(result)); });
}

void TilingWidget::evaluated(target::Alternative result) {
  hand_->show_result(result, chosen());
  std::vector<std::int64_t> sizes;
  for (const target::TileSize& size : result.sizes) sizes.push_back(size.value);
  const TilingChoice wanted{TilingChoice::Kind::by_hand, host_.snapshot().selection.layer, result.strategy, sizes};
  // What doesn't fit is drawn as well: the memories say which overruns.
  if (result.plan && !dragged_) choose(wanted);
  table_->strategies().set_by_hand(std::move(result));
}

bool TilingWidget::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress && shown()) {
    if (playback_->take_key(*static_cast<QKeyEvent*>(event))) return true;
  }
  if (watched == panel_->canvas().viewport() && shown() && drag(*event)) return true;
  return QWidget::eventFilter(watched, event);
}

/// True if the event belongs to a drag of a tile's edge.
bool TilingWidget::drag(QEvent& event) {
  const bool pointer = event.type() == QEvent::MouseButtonPress || event.type() == QEvent::MouseMove ||
                       event.type() == QEvent::MouseButtonRelease;
  if (!pointer) return false;
  const auto& mouse = static_cast<const QMouseEvent&>(event);
  if (event.type() == QEvent::MouseButtonPress && mouse.button() == Qt::LeftButton) {
    dragged_ = shown()->edge_at(mouse.position(), area());
    held_ = dragged_.has_value();
    return held_;
  }
  const bool held = held_;
  if (event.type() == QEvent::MouseButtonRelease || mouse.buttons() == Qt::NoButton) held_ = false;
  if (held && !dragged_) return true;  // nothing else begins with what is left of a drag
  if (event.type() == QEvent::MouseButtonRelease && dragged_) {
    const bool moved = shown()->preview().has_value();
    dragged_.reset();
    shown()->set_preview(std::nullopt);
    panel_->canvas().viewport()->update();
    if (moved && !evaluation_.running()) evaluate(hand_->strategy(), hand_->sizes());
    return true;
  }
  if (dragged_) {
    drag_to(mouse.position());
    return true;
  }
  const auto edge = mouse.buttons() == Qt::NoButton ? shown()->edge_at(mouse.position(), area()) : std::nullopt;
  if (!edge) {
    panel_->canvas().viewport()->unsetCursor();
  } else {
    const auto shape = edge->rows && edge->columns ? Qt::SizeFDiagCursor
                       : edge->rows                ? Qt::SizeVerCursor
                                                   : Qt::SizeHorCursor;
    panel_->canvas().viewport()->setCursor(shape);
  }
  return false;
}

void TilingWidget::drag_to(QPointF point) {
  const auto [rows, columns] = shown()->dragged_size(*dragged_, point, area());
  artifact::TileBox box = dragged_->box;
  box.size[1] = rows;
  box.size[2] = columns;
  shown()->set_preview(box);
  panel_->canvas().viewport()->update();
  const target::Alternative& now = shown()->scene().content().shown;
  std::vector<std::int64_t> sizes;
  for (const target::TileSize& size : now.sizes) sizes.push_back(size.value);
  if (dragged_->rows) sizes[*shown()->scene().size_of(1)] = rows;
  if (dragged_->columns) sizes[*shown()->scene().size_of(2)] = columns;
  hand_->set(now.strategy, sizes, true);
}

QWidget* make_tiling_widget(ViewHost& host, QWidget* parent) {
  return new TilingWidget(host, parent);
}

}  // namespace convscope::ui
