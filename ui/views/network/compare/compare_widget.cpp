#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include "ui/model/baseline_difference.h"
#include "ui/model/view_host.h"
#include "ui/plot/chart_widget.h"
#include "ui/views/network/compare/compare_view.h"

namespace convscope::ui {
namespace {

class CompareWidget : public QWidget {
 public:
  CompareWidget(ViewHost& host, QWidget* parent) : QWidget(parent), host_(host) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* choices = new QHBoxLayout;
    choices->setContentsMargins(8, 4, 8, 4);
    choices->setSpacing(8);
    figure_ = add_chooser(*choices, "compared-figure", tr("Figure"));
    order_ = add_chooser(*choices, "comparison-order", tr("Order"));
    note_ = new QLabel(this);
    note_->setObjectName("comparison-note");
    note_->setContentsMargins(12, 0, 0, 0);
    choices->addWidget(note_, 1);
    column->addLayout(choices);
    fill_choosers();
    // Before the chart, which asks what is offered.
    connect(&host, &ViewHost::changed, this, [this](Changes what) {
      if (what.testAnyFlags(Change::network | Change::results | Change::baselines)) refresh();
    });
    refresh();
    chart_ = new ChartWidget(
        host, this, [this](const Snapshot& snapshot) { return make_difference_chart(snapshot, shown_key(), order()); },
        missing_comparison);
    column->addWidget(chart_, 1);
    connect(figure_, &QComboBox::activated, this, [this] {
      wanted_ = figure_->currentData().toString();
      chart_->refresh();
    });
    connect(order_, &QComboBox::activated, this, [this] {
      chart_->forget_range();
      chart_->refresh();
    });
  }

 private:
  QComboBox* add_chooser(QHBoxLayout& row, const QString& name, const QString& title) {
    auto* label = new QLabel(title, this);
    auto* chooser = new QComboBox(this);
    chooser->setObjectName(name);
    chooser->setAccessibleName(title);
    chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    label->setBuddy(chooser);
    row.addWidget(label);
    row.addWidget(chooser);
    return chooser;
  }

  void fill_choosers() {
    for (const ComparedFigureName& each : compared_figure_names())
      figure_->addItem(each.title, QString::fromStdString(each.key));
    order_->addItem(tr("As in the network"), false);
    order_->addItem(tr("Largest difference first"), true);
  }

  DifferenceOrder order() const {
    return order_->currentData().toBool() ? DifferenceOrder::size : DifferenceOrder::network;
  }

  std::string shown_key() const { return figure_->currentData().toString().toStdString(); }

  /// What the user chose; where that can't be compared, what runs are compared by first.
  void choose_figure(const QString& first) {
    const auto* items = qobject_cast<const QStandardItemModel*>(figure_->model());
    const int wanted = figure_->findData(wanted_);
    const bool offered = items == nullptr || items->item(wanted)->isEnabled();
    figure_->setCurrentIndex(offered ? wanted : figure_->findData(first));
  }

  void refresh() {
    const Baseline* baseline = host_.snapshot().baseline();
    const auto common = baseline == nullptr ? analysis::Comparability{} : comparability(host_.snapshot(), *baseline);
    set_offered("cycles", common.cycles, tr("the clocks differ"));
    set_offered("utilization", common.target_figures, tr("the machines are of different kinds"));
    if (baseline != nullptr) choose_figure(QString::fromStdString(headline_key(host_.snapshot(), *baseline)));
    note_->setText(baseline == nullptr ? QString() : note(*baseline, common));
  }

  void set_offered(const QString& key, bool offered, const QString& reason) {
    const int index = figure_->findData(key);
    figure_->setItemData(index, offered ? QString() : tr("Not comparable: %1").arg(reason), Qt::ToolTipRole);
    if (auto* items = qobject_cast<QStandardItemModel*>(figure_->model())) items->item(index)->setEnabled(offered);
  }

  QString note(const Baseline& baseline, const analysis::Comparability& common) const {
    QStringList parts;
    const auto matched = static_cast<std::size_t>(baseline.matching->matched);
    const std::size_t here = baseline.matching->layers.size(), there = baseline.matching->others.size();
    if (matched < here || matched < there)
      parts << tr("%1 layers match, of %2 here and %3 there").arg(matched).arg(here).arg(there);
    if (!common.target_figures)
      parts << tr("other machine: time, bytes and MACs are compared");
    else if (!common.cycles)
      parts << tr("other clock: time is compared, cycles are not");
    return parts.join(QStringLiteral("; "));
  }

  ViewHost& host_;
  QComboBox* figure_;
  QComboBox* order_;
  QLabel* note_;
  QString wanted_ = QStringLiteral("cycles");
  ChartWidget* chart_;
};

}  // namespace

std::unique_ptr<ViewPainter> make_compare_painter(const Snapshot& snapshot) {
  return make_chart_painter(
      snapshot, [](const Snapshot& shown) { return make_difference_chart(shown); }, missing_comparison);
}

QWidget* make_compare_widget(ViewHost& host, QWidget* parent) {
  return new CompareWidget(host, parent);
}

}  // namespace convscope::ui
