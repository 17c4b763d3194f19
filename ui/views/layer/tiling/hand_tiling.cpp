#include "ui/views/layer/tiling/hand_tiling.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/parts/drawing.h"
#include "ui/views/layer/tiling/tiling_facts.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

QString beside(const QString& name, const QString& mine, const QString& chosen) {
  return QStringLiteral("%1 %2 (chosen %3)").arg(name, mine, chosen);
}

QString result_text(const target::Alternative& result, const target::Alternative* chosen,
                    const std::vector<artifact::FigureDescription>& figures) {
  if (!result.fits) return QObject::tr("Does not fit: %1.").arg(to_text(result.explanation));
  QStringList lines{result.chosen ? QObject::tr("Fits: it is the chosen one.")
                                  : QObject::tr("Fits: %1.").arg(to_text(result.explanation))};
  if (chosen && chosen->fits && !result.chosen) {
    lines << beside(QObject::tr("Time"), time_text(result.metrics), time_text(chosen->metrics));
    for (const artifact::FigureDescription& each : figures)
      lines << beside(to_text(each.label), figure_text(result.metrics, each), figure_text(chosen->metrics, each));
    lines << beside(QObject::tr("Bytes"), count_text(bytes_moved(result.metrics)),
                    count_text(bytes_moved(chosen->metrics)));
  }
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

HandTiling::HandTiling(QWidget* parent)
    : QWidget(parent),
      strategies_(new QComboBox(this)),
      form_(new QFormLayout),
      result_(new QLabel(this)),
      reset_(new QToolButton(this)) {
  strategies_->setObjectName(QStringLiteral("tiling-hand-strategy"));
  strategies_->setAccessibleName(tr("Strategy of the tiling made by hand"));
  result_->setObjectName(QStringLiteral("tiling-hand-result"));
  result_->setAccessibleName(tr("What becomes of the tiling made by hand"));
  result_->setWordWrap(true);
  result_->setTextFormat(Qt::PlainText);
  result_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  result_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  reset_->setObjectName(QStringLiteral("tiling-hand-reset"));
  reset_->setText(tr("Chosen"));
  reset_->setToolTip(tr("Back to the chosen tiling"));
  reset_->setAccessibleName(reset_->toolTip());
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 4, 8, 4);
  column->setSpacing(4);
  auto* first = new QHBoxLayout;
  first->addWidget(new QLabel(tr("By hand"), this));
  first->addWidget(strategies_, 1);
  first->addWidget(reset_);
  column->addLayout(first);
  form_->setContentsMargins(0, 0, 0, 0);
  form_->setSpacing(2);
  column->addLayout(form_);
  column->addWidget(result_, 1);
  connect(strategies_, &QComboBox::currentIndexChanged, this, [this] {
    show_ranges();
    ask();
  });
  connect(reset_, &QToolButton::clicked, this, [this] {
    if (on_reset) on_reset();
  });
  clear_result();
}

void HandTiling::offer(const std::vector<target::Alternative>& alternatives, const target::Alternative& start,
                       std::vector<artifact::FigureDescription> figures) {
  const QScopedValueRollback setting(setting_, true);
  figures_ = std::move(figures);
  alternatives_ = alternatives;
  QStringList names;
  for (const target::Alternative& each : alternatives) names << to_text(each.strategy);
  bool same = names.size() == strategies_->count();
  for (int i = 0; same && i < names.size(); ++i) same = strategies_->itemText(i) == names[i];
  if (!same) {
    strategies_->clear();
    strategies_->addItems(names);
  }
  make_boxes(start.sizes);
  std::vector<std::int64_t> values;
  for (const target::TileSize& size : start.sizes) values.push_back(size.value);
  set(start.strategy, values, false);
}

void HandTiling::make_boxes(const std::vector<target::TileSize>& sizes) {
  bool same = sizes.size() == boxes_.size();
  for (std::size_t i = 0; same && i < sizes.size(); ++i)
    same = boxes_[i]->objectName() == "tiling-size-" + to_text(sizes[i].name);
  if (same) return;
  while (form_->rowCount() > 0) form_->removeRow(0);
  boxes_.clear();
  for (const target::TileSize& size : sizes) {
    auto* box = new QSpinBox(this);
    box->setObjectName("tiling-size-" + to_text(size.name));
    box->setAccessibleName(tr("%1, %2 of a tile").arg(to_text(size.name), to_text(size.label)));
    box->setKeyboardTracking(false);
    box->setAlignment(Qt::AlignRight);
    connect(box, &QSpinBox::valueChanged, this, [this] { ask(); });
    form_->addRow(QStringLiteral("%1 (%2)").arg(to_text(size.name), to_text(size.label)), box);
    boxes_.push_back(box);
  }
}

void HandTiling::show_ranges() {
  const int at = strategies_->currentIndex();
  if (at < 0 || at >= static_cast<int>(alternatives_.size())) return;
  const QScopedValueRollback setting(setting_, true);
  const auto& sizes = alternatives_[static_cast<std::size_t>(at)].sizes;
  constexpr std::int64_t most = 1'000'000'000;
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    // A strategy without a tiling that fits states no ranges; those of another one are the best guess.
    std::int64_t maximum = i < sizes.size() ? sizes[i].maximum : 0;
    for (const target::Alternative& each : alternatives_) {
      if (i >= sizes.size() && i < each.sizes.size()) maximum = std::max(maximum, each.sizes[i].maximum);
    }
    boxes_[i]->setRange(1, static_cast<int>(std::clamp<std::int64_t>(maximum, 1, most)));
    boxes_[i]->setToolTip(tr("1 to %1").arg(boxes_[i]->maximum()));
  }
}

void HandTiling::set(const std::string& strategy, const std::vector<std::int64_t>& sizes, bool ask_for_it) {
  const bool same = strategy == this->strategy() && sizes == this->sizes();
  {
    const QScopedValueRollback setting(setting_, true);
    const int at = strategies_->findText(to_text(strategy));
    if (at >= 0) strategies_->setCurrentIndex(at);
    show_ranges();
    for (std::size_t i = 0; i < std::min(sizes.size(), boxes_.size()); ++i)
      boxes_[i]->setValue(static_cast<int>(sizes[i]));
  }
  if (ask_for_it && !same) ask();
}

std::string HandTiling::strategy() const {
  return strategies_->currentText().toStdString();
}

std::vector<std::int64_t> HandTiling::sizes() const {
  std::vector<std::int64_t> values;
  for (const QSpinBox* box : boxes_) values.push_back(box->value());
  return values;
}

void HandTiling::ask() {
  if (!setting_ && on_asked && !boxes_.empty()) on_asked(strategy(), sizes());
}

void HandTiling::show_result(const target::Alternative& result, const target::Alternative* chosen) {
  refused_ = !result.fits;
  colour_result();
  result_->setText(result_text(result, chosen, figures_));
}

void HandTiling::clear_result() {
  refused_ = false;
  colour_result();
  result_->setText(tr("Type sizes, or drag the lower or right edge of the OUT tile in use."));
}

void HandTiling::set_theme(const Theme& theme) {
  theme_ = &theme;
  colour_result();
}

void HandTiling::colour_result() {
  QPalette palette;
  palette.setColor(QPalette::WindowText, refused_ ? theme_->error : theme_->text);
  result_->setPalette(palette);
}

}  // namespace convscope::ui
