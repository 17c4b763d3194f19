#include <QCheckBox>
#include <QComboBox>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QToolButton>

#include "ui/model/machine_actions.h"
#include "ui/model/view_host.h"
#include "ui/parts/canvas/canvas_panel.h"
#include "ui/views/network/quantization/quantization_inputs.h"
#include "ui/views/network/quantization/quantization_painter.h"

namespace convscope::ui {
namespace {

/// What is asked for, and the walk along the network.
class QuantizationTools : public QObject {
 public:
  explicit QuantizationTools(CanvasPanel& panel)
      : QObject(&panel),
        panel_(panel),
        make_(new QToolButton(&panel)),
        bits_(choice(QStringLiteral("quantization-bits"), tr("Bits of a word"))),
        share_(choice(QStringLiteral("quantization-percentile"), tr("What a format must hold"))),
        filters_(new QCheckBox(tr("A point for each filter"), &panel)),
        inputs_(new QuantizationInputs(&panel)) {
    for (const int bits : {16, 12, 8, 4}) choose(*bits_, tr("%1 bits"), bits);
    share_->addItem(tr("All values"), 100.0);
    for (const double percent : {99.99, 99.9}) choose(*share_, tr("%1 % of the values"), percent);
    filters_->setObjectName(QStringLiteral("quantization-filters"));
    make_->setObjectName(QStringLiteral("quantization-make"));
    connect(make_, &QToolButton::clicked, this, [this] { make_or_stop(); });
    for (QWidget* tool : {static_cast<QWidget*>(make_), static_cast<QWidget*>(bits_), static_cast<QWidget*>(share_),
                          static_cast<QWidget*>(filters_), static_cast<QWidget*>(inputs_)})
      panel.add_tool(tool);
    for (QComboBox* box : {bits_, share_}) connect(box, &QComboBox::currentIndexChanged, this, [this] { tell_wish(); });
    connect(filters_, &QCheckBox::toggled, this, [this] { tell_wish(); });
    inputs_->on_change = [this] { tell_wish(); };
    panel.canvas().on_key = [this](const QKeyEvent& event) { return key(event); };
    connect(&panel.host(), &ViewHost::changed, this, [this](Changes what) {
      if (what.testAnyFlags(Changes(Change::quantization) | Change::network)) follow();
    });
    show_wish(shown_);
    show_state();
  }

 private:
  QComboBox* choice(const QString& name, const QString& help) {
    auto* box = new QComboBox(&panel_);
    box->setObjectName(name);
    box->setAccessibleName(help);
    box->setToolTip(help);
    return box;
  }

  /// What a session says may be none of those that are offered: then it is offered, too.
  template <typename Number>
  static void choose(QComboBox& box, const QString& words, Number number) {
    if (box.findData(number) < 0) box.addItem(words.arg(number), number);
    box.setCurrentIndex(box.findData(number));
  }

  QuantizationPainter* painter() const { return dynamic_cast<QuantizationPainter*>(panel_.canvas().painter()); }

  bool running() const {
    const auto& state = panel_.host().snapshot().exploration;
    return state && state->quantizing;
  }

  void follow() {
    show_state();
    panel_.set_prepare([](const Snapshot& snapshot) { return make_quantization_canvas(snapshot); });
  }

  const QuantizationWish* shown_wish() const {
    const auto& state = panel_.host().snapshot().exploration;
    return state ? &state->quantization_wish : nullptr;
  }

  QuantizationWish wish() const {
    QuantizationWish wish = shown_;  // a session may say how many inputs are made up
    wish.bits = bits_->currentData().toInt();
    wish.percentile = share_->currentData().toDouble();
    wish.per_filter = filters_->isChecked();
    wish.images = inputs_->folder();
    return wish;
  }

  void tell_wish() { panel_.host().machines().set_quantization_wish(wish()); }

  void show_wish(const QuantizationWish& wish) {
    const QSignalBlocker bits(bits_), share(share_), filters(filters_);
    choose(*bits_, tr("%1 bits"), wish.bits);
    choose(*share_, tr("%1 % of the values"), wish.percentile);
    filters_->setChecked(wish.per_filter);
    inputs_->set_folder(wish.images);
  }

  void show_state() {
    if (const QuantizationWish* chosen = shown_wish(); chosen && *chosen != shown_) show_wish(shown_ = *chosen);
    make_->setText(running() ? tr("Stop") : tr("Quantize"));
    const QString help = running() ? tr("Stop executing the network (M)")
                                   : tr("Put the network into fixed point and measure the error (M)");
    make_->setToolTip(help);
    make_->setAccessibleName(help);
  }

  void make_or_stop() {
    MachineActions& machines = panel_.host().machines();
    if (running()) return machines.cancel_quantization();
    machines.quantize(wish());
  }

  bool key(const QKeyEvent& event) {
    if (event.key() == Qt::Key_M) return make_or_stop(), true;
    if (painter() == nullptr || (event.key() != Qt::Key_Left && event.key() != Qt::Key_Right)) return false;
    artifact::Ref ref;
    ref.layer = painter()->scene().neighbour(event.key() == Qt::Key_Left ? -1 : 1);
    if (ref.layer >= 0) panel_.host().select(ref);
    return true;
  }

  CanvasPanel& panel_;
  QToolButton* make_;
  QComboBox *bits_, *share_;
  QCheckBox* filters_;
  QuantizationInputs* inputs_;
  QuantizationWish shown_;  ///< what the tools were set to last; while it is the same, half-typed text stays
};

}  // namespace

QWidget* make_quantization_widget(ViewHost& host, QWidget* parent) {
  auto* panel = new CanvasPanel(
      host, parent, [](const Snapshot& snapshot) { return make_quantization_canvas(snapshot); },
      CanvasPanel::Shows::network);
  panel->canvas().setObjectName(QStringLiteral("quantization-chart"));
  panel->canvas().setAccessibleName(QObject::tr("Quantization"));
  new QuantizationTools(*panel);
  return panel;
}

}  // namespace convscope::ui
