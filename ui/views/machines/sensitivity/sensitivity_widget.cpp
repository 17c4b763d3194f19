#include <QComboBox>
#include <QKeyEvent>
#include <QToolButton>
#include <algorithm>

#include "ui/model/exploration.h"
#include "ui/model/machine_actions.h"
#include "ui/model/view_host.h"
#include "ui/parts/canvas/canvas_panel.h"
#include "ui/views/machines/sensitivity/sensitivity_painter.h"

namespace convscope::ui {
namespace {

/// Measures, orders, and applies a change that is clicked.
class SensitivityTools : public QObject {
 public:
  explicit SensitivityTools(CanvasPanel& panel)
      : QObject(&panel), panel_(panel), order_(new QComboBox(&panel)), measure_(new QToolButton(&panel)) {
    order_->setObjectName(QStringLiteral("sensitivity-order"));
    order_->setAccessibleName(tr("Order of the parameters"));
    order_->addItem(tr("By the whole network"));
    order_->addItem(tr("By the selected layer"));
    connect(order_, &QComboBox::currentIndexChanged, this, [this] { prepare(); });
    measure_->setObjectName(QStringLiteral("sensitivity-measure"));
    connect(measure_, &QToolButton::clicked, this, [this] { measure(); });
    panel.add_tool(measure_);
    panel.add_tool(order_);
    panel.canvas().on_click = [this](QPointF point) { return click(point); };
    panel.canvas().on_key = [this](const QKeyEvent& event) { return key(event); };
    panel.on_painter = [this] { keep_cursor(); };
    connect(&panel.host(), &ViewHost::changed, this, [this](Changes what) {
      if (what.testFlag(Change::sensitivity)) follow();
    });
    show_state();
  }

  void prepare() {
    const EffectOrder order = order_->currentIndex() == 0 ? EffectOrder::total : EffectOrder::layer;
    panel_.set_prepare([order](const Snapshot& snapshot) { return make_sensitivity_canvas(snapshot, order); });
  }

 private:
  SensitivityPainter* painter() const { return dynamic_cast<SensitivityPainter*>(panel_.canvas().painter()); }

  void follow() {
    show_state();
    const auto now = panel_.host().snapshot().exploration->sensitivity;
    if (now != shown_) prepare();
    shown_ = now;
  }

  bool running() const { return panel_.host().snapshot().exploration->analyzing; }

  void show_state() {
    measure_->setText(running() ? tr("Stop") : tr("Measure"));
    const QString help = running() ? tr("Stop measuring what helps most (M)")
                                   : tr("Measure what helps most for the machine as it is now (M)");
    measure_->setToolTip(help);
    measure_->setAccessibleName(help);
  }

  void measure() {
    MachineActions& machines = panel_.host().machines();
    running() ? machines.cancel_analysis() : machines.analyze();
  }

  void apply(std::size_t row) {
    const SensitivityRow& chosen = painter()->rows().rows()[row];
    const SensitivityRun& run = painter()->rows().run();
    if (chosen.kind != SensitivityRow::Kind::effect) return;
    panel_.host().machines().change_parameter(*run.target, chosen.parameter, chosen.value);
  }

  bool click(QPointF point) {
    if (!painter()) return false;
    const auto row = painter()->row_at(point, panel_.canvas().area());
    if (!row) return true;
    set_cursor(static_cast<int>(*row));
    apply(*row);
    return true;
  }

  void set_cursor(int row) {
    cursor_ = row;
    painter()->set_cursor(row);
    panel_.canvas().reveal(painter()->place_of_row(static_cast<std::size_t>(row)));
    panel_.canvas().setAccessibleDescription(painter()->rows().reading(static_cast<std::size_t>(row)));
    panel_.canvas().viewport()->update();
  }

  void keep_cursor() {
    if (!painter()) return;
    const int rows = static_cast<int>(painter()->rows().rows().size());
    painter()->set_cursor(cursor_ < rows ? cursor_ : -1);
  }

  bool key(const QKeyEvent& event) {
    if (event.key() == Qt::Key_M) {
      measure();
      return true;
    }
    if (!painter() || painter()->rows().rows().empty()) return false;
    const int last = static_cast<int>(painter()->rows().rows().size()) - 1;
    switch (event.key()) {
      case Qt::Key_Up:
        set_cursor(std::clamp(cursor_ - 1, 0, last));
        return true;
      case Qt::Key_Down:
        set_cursor(std::clamp(cursor_ + 1, 0, last));
        return true;
      case Qt::Key_Return:
      case Qt::Key_Enter:
        if (cursor_ >= 0 && cursor_ <= last) apply(static_cast<std::size_t>(cursor_));
        return true;
      default:
        return false;
    }
  }

  CanvasPanel& panel_;
  QComboBox* order_;
  QToolButton* measure_;
  std::shared_ptr<const SensitivityRun> shown_;
  int cursor_ = -1;
};

}  // namespace

QWidget* make_sensitivity_widget(ViewHost& host, QWidget* parent) {
  auto* panel = new CanvasPanel(
      host, parent, [](const Snapshot& snapshot) { return make_sensitivity_canvas(snapshot, EffectOrder::total); },
      CanvasPanel::Shows::network);
  panel->canvas().setObjectName(QStringLiteral("sensitivity-chart"));
  panel->canvas().setAccessibleName(QObject::tr("What helps most"));
  new SensitivityTools(*panel);
  return panel;
}

}  // namespace convscope::ui
