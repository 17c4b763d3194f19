#include "ui/panels/sweep_setup/strategy_box.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>

namespace convscope::ui {
namespace {

using explore::StrategyKind;

constexpr int usual_budget = 1000;
constexpr int largest_budget = 100'000'000, largest_seed = 1'000'000'000;

QString meaning_of(StrategyKind kind) {
  switch (kind) {
    case StrategyKind::grid:
      return StrategyBox::tr("Looks at every point: only this proves the front.");
    case StrategyKind::random:
      return StrategyBox::tr("Looks at different points, drawn from the whole space.");
    case StrategyKind::refine:
      return StrategyBox::tr("A coarse grid first, then neighbours of the front, nearer each round. No limit: 0.");
  }
  return {};
}

QSpinBox* add_number(QGridLayout& grid, int row, int column, const QString& name, QLabel* label, int least, int most) {
  auto* box = new QSpinBox(label->parentWidget());
  box->setObjectName(name);
  box->setRange(least, most);
  box->setGroupSeparatorShown(true);
  box->setAccessibleName(label->text());
  label->setBuddy(box);
  grid.addWidget(label, row, column);
  grid.addWidget(box, row, column + 1);
  return box;
}

}  // namespace

StrategyBox::StrategyBox(QWidget* parent) : QGroupBox(tr("Search and results"), parent) {
  setObjectName("strategy");
  auto* grid = new QGridLayout(this);
  kind_ = new QComboBox(this);
  kind_->setObjectName("strategy-kind");
  kind_->setAccessibleName(tr("Strategy"));
  kind_->addItems({tr("full grid"), tr("random"), tr("refinement")});
  grid->addWidget(kind_, 0, 0);
  budget_label_ = new QLabel(tr("at most points"), this);
  seed_label_ = new QLabel(tr("seed"), this);
  budget_ = add_number(*grid, 0, 1, "strategy-budget", budget_label_, 0, largest_budget);
  seed_ = add_number(*grid, 0, 3, "strategy-seed", seed_label_, 0, largest_seed);
  meaning_ = new QLabel(this);
  meaning_->setWordWrap(true);
  grid->addWidget(meaning_, 1, 0, 1, 7);
  auto* label = new QLabel(tr("Results file"), this);
  file_ = new QLineEdit(this);
  file_->setObjectName("results-file");
  file_->setAccessibleName(label->text());
  file_->setPlaceholderText(tr("none: results are only shown"));
  label->setBuddy(file_);
  auto* choose = new QToolButton(this);
  choose->setObjectName("choose-results-file");
  choose->setText(QStringLiteral("…"));
  choose->setAccessibleName(tr("Choose the results file"));
  grid->addWidget(label, 2, 0);
  grid->addWidget(file_, 2, 1, 1, 5);
  grid->addWidget(choose, 2, 6);
  file_meaning_ = new QLabel(this);
  file_meaning_->setObjectName("results-file-meaning");
  grid->addWidget(file_meaning_, 3, 1, 1, 6);
  grid->setColumnStretch(5, 1);
  connect(kind_, &QComboBox::activated, this, [this] {
    refresh();
    emit edited();
  });
  connect(budget_, &QSpinBox::valueChanged, this, &StrategyBox::edited);
  connect(seed_, &QSpinBox::valueChanged, this, &StrategyBox::edited);
  connect(file_, &QLineEdit::textEdited, this, [this] {
    refresh();
    emit edited();
  });
  connect(choose, &QToolButton::clicked, this, &StrategyBox::choose_file);
  refresh();
}

void StrategyBox::choose_file() {
  QString path = QFileDialog::getSaveFileName(this, tr("Results file"), file_->text(), tr("Results (*.db)"), nullptr,
                                              QFileDialog::DontConfirmOverwrite);
  if (path.isEmpty()) return;
  if (QFileInfo(path).suffix().isEmpty()) path += ".db";
  file_->setText(path);
  refresh();
  emit edited();
}

void StrategyBox::refresh() {
  const auto kind = static_cast<StrategyKind>(kind_->currentIndex());
  const bool chosen = kind != StrategyKind::grid;
  for (QWidget* each : {static_cast<QWidget*>(budget_), static_cast<QWidget*>(seed_),
                        static_cast<QWidget*>(budget_label_), static_cast<QWidget*>(seed_label_)}) {
    each->setVisible(chosen);
  }
  if (kind == StrategyKind::random && budget_->value() == 0) budget_->setValue(usual_budget);
  meaning_->setText(meaning_of(kind));
  const bool exists = !file_->text().trimmed().isEmpty() && QFileInfo::exists(file_->text().trimmed());
  file_meaning_->setText(exists ? tr("The file exists: the sweep goes on with it, if it is of the same space.")
                                : QString());
  file_meaning_->setVisible(exists);
}

void StrategyBox::show_setup(const SweepSetup& setup) {
  const QSignalBlocker quiet(this);
  kind_->setCurrentIndex(static_cast<int>(setup.strategy.kind));
  budget_->setValue(static_cast<int>(std::min<std::uint64_t>(setup.strategy.budget, largest_budget)));
  seed_->setValue(static_cast<int>(std::min<std::uint64_t>(setup.strategy.seed, largest_seed)));
  file_->setText(setup.results);
  refresh();
}

void StrategyBox::fill(SweepSetup& setup) const {
  setup.strategy.kind = static_cast<StrategyKind>(kind_->currentIndex());
  const bool chosen = setup.strategy.kind != StrategyKind::grid;
  setup.strategy.budget = chosen ? static_cast<std::uint64_t>(budget_->value()) : 0;
  setup.strategy.seed = static_cast<std::uint64_t>(seed_->value());
  setup.results = file_->text().trimmed();
}

}  // namespace convscope::ui
