#include "ui/labs/lab_panel.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>

#include "ui/parts/file_to_write.h"

namespace convscope::ui {
namespace {

constexpr int gap = 8;  // above what belongs together

QString qt(const std::string& text) {
  return QString::fromStdString(text);
}

/// Plain: a lab's words are shown as they stand.
QLabel* words_label(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  return label;
}

QString lines(const std::vector<std::string>& texts) {
  QStringList list;
  for (const std::string& each : texts) list << qt(each);
  return list.join('\n');
}

/// What is asked for, above the field that takes it.
void add_row(const QString& words, QWidget* field, QVBoxLayout& column) {
  column.addSpacing(gap);
  column.addWidget(words_label(words, field->parentWidget()));
  column.addWidget(field);
}

}  // namespace

LabPanel::LabPanel(LabWork& work, QWidget* parent) : QWidget(parent), work_(work) {
  setObjectName("lab-panel");
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, 6, 6, 6);
  auto* parts = new QSplitter(Qt::Vertical, this);
  text_ = new QTextBrowser(parts);
  text_->setObjectName("lab-text");
  text_->setAccessibleName(tr("What to read"));
  text_->setOpenLinks(false);
  connect(text_, &QTextBrowser::anchorClicked, &work_, [this](const QUrl& link) {
    followed_ = text_->textCursor();
    show_news({});
    work_.follow(link.toString(QUrl::FullyEncoded));
  });
  auto* scroll = new QScrollArea(parts);
  scroll->setObjectName("lab-work");
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  parts->addWidget(text_);
  parts->addWidget(scroll);
  parts->setStretchFactor(1, 2);
  column->addWidget(parts, 1);
  points_ = words_label({}, this);
  points_->setObjectName("lab-points");
  news_ = words_label({}, this);
  news_->setObjectName("lab-news");
  auto* button = new QPushButton(tr("Hand &in…"), this);
  button->setObjectName("lab-hand-in");
  auto* row = new QHBoxLayout;
  row->addWidget(points_, 1);
  row->addWidget(button);
  column->addLayout(row);
  column->addWidget(news_);
  connect(button, &QPushButton::clicked, this, &LabPanel::hand_in);
  connect(&work, &LabWork::opened, this, &LabPanel::show_lab);
  connect(&work, &LabWork::checked, this, &LabPanel::show_outcome);
  connect(&work, &LabWork::failed, this, &LabPanel::show_news);
  connect(&work, &LabWork::saved, this, [this](const QString& path) { show_news(tr("Handed in: %1").arg(path)); });
}

// The text forgets its link when the keyboard goes where the link leads.
void LabPanel::read_on() {
  if (!followed_.isNull()) text_->setTextCursor(followed_);
  text_->setFocus();
}

void LabPanel::show_lab() {
  const labs::Lab& lab = work_.lab()->lab;
  text_->setMarkdown(qt(work_.lab()->text));
  followed_ = QTextCursor();
  tasks_.clear();
  show_news({});
  auto* scroll = findChild<QScrollArea*>("lab-work");
  work_area_ = new QWidget(scroll);
  auto* column = new QVBoxLayout(work_area_);
  for (const labs::Task& each : lab.tasks) add_task(each, *column);
  auto* by = new QLineEdit(work_area_);
  by->setObjectName("lab-by");
  by->setAccessibleName(tr("Your name"));
  by->setText(qt(work_.submission().by));
  connect(by, &QLineEdit::textChanged, &work_, &LabWork::set_by);
  add_row(tr("Your name"), by, *column);
  for (const labs::Question& each : lab.questions) add_question(each, *column);
  for (const labs::ProgramWanted& each : lab.programs) add_program(each, *column);
  for (const labs::TilingWanted& each : lab.tilings) add_tiling(each, *column);
  column->addStretch(1);
  scroll->setWidget(work_area_);  // the lab before goes with its widget
  show_outcome();
}

void LabPanel::add_task(const labs::Task& task, QVBoxLayout& column) {
  auto* title = words_label({}, work_area_);
  title->setObjectName("lab-task-" + qt(task.name));
  QFont bold = title->font();
  bold.setBold(true);
  title->setFont(bold);
  column.addSpacing(gap);
  column.addWidget(title);
  column.addWidget(words_label(qt(task.text), work_area_));
  auto* reasons = words_label({}, work_area_);
  reasons->setObjectName("lab-reasons-" + qt(task.name));
  column.addWidget(reasons);
  tasks_.push_back({title, reasons});
  if (!task.hints.empty()) add_hints(task, column);
}

void LabPanel::add_hints(const labs::Task& task, QVBoxLayout& column) {
  auto* hints = words_label({}, work_area_);
  hints->setObjectName("lab-hints-" + qt(task.name));
  auto* button = new QPushButton(work_area_);
  button->setObjectName("lab-hint-" + qt(task.name));
  button->setAccessibleName(tr("Hint for %1").arg(qt(task.title)));
  button->setToolTip(tr("How many hints you opened is handed in, too"));
  const auto show = [this, hints, button, task] {
    const int opened = work_.opened_hints(task), all = static_cast<int>(task.hints.size());
    hints->setText(lines({task.hints.begin(), task.hints.begin() + std::min(opened, all)}));
    hints->setVisible(opened > 0);
    button->setText(tr("Hint (%1 of %2)").arg(std::min(opened + 1, all)).arg(all));
    button->setEnabled(opened < all);
  };
  connect(button, &QPushButton::clicked, hints, [this, task, show] {
    work_.open_hint(task);
    show();
  });
  show();
  column.addWidget(hints);
  column.addWidget(button, 0, Qt::AlignLeft);
}

void LabPanel::add_question(const labs::Question& question, QVBoxLayout& column) {
  const QString unit = question.unit.empty() ? QString() : QStringLiteral(" [%1]").arg(qt(question.unit));
  QWidget* field = nullptr;
  const labs::Submission so_far = work_.submission();
  const labs::Answer* given = so_far.answer(question.name);
  if (question.choices.empty()) {
    auto* line = new QLineEdit(work_area_);
    if (given != nullptr) line->setText(qt(given->text));
    connect(line, &QLineEdit::textChanged, &work_,
            [this, name = question.name](const QString& text) { work_.set_answer(name, text); });
    field = line;
  } else {
    auto* box = new QComboBox(work_area_);
    box->addItem(tr("not answered"), QString());
    for (const labs::Choice& each : question.choices)
      box->addItem(QStringLiteral("%1: %2").arg(qt(each.name), qt(each.text)), qt(each.name));
    if (given != nullptr) box->setCurrentIndex(std::max(0, box->findData(qt(given->text))));
    connect(box, &QComboBox::currentIndexChanged, &work_,
            [this, box, name = question.name](int index) { work_.set_answer(name, box->itemData(index).toString()); });
    field = box;
  }
  field->setObjectName("lab-answer-" + qt(question.name));
  field->setAccessibleName(qt(question.text));
  add_row(qt(question.text) + unit, field, column);
}

void LabPanel::add_program(const labs::ProgramWanted& wanted, QVBoxLayout& column) {
  auto* button = new QPushButton(tr("Load a program…"), work_area_);
  button->setObjectName("lab-program-" + qt(wanted.name));
  button->setAccessibleDescription(qt(wanted.text));
  connect(button, &QPushButton::clicked, this, [this, name = wanted.name] {
    const QString path = QFileDialog::getOpenFileName(this, tr("Program to hand in"));
    if (!path.isEmpty()) work_.load_program(name, path);
  });
  add_row(qt(wanted.text), button, column);
  const auto take = [&](const QString& end, const QString& words, void (LabWork::*act)(const std::string&)) {
    auto* made = new QPushButton(words, work_area_);
    made->setObjectName("lab-" + end + "-" + qt(wanted.name));
    made->setAccessibleDescription(qt(wanted.text));
    connect(made, &QPushButton::clicked, &work_, [this, act, name = wanted.name] {
      show_news({});
      (work_.*act)(name);
    });
    column.addWidget(made);
  };
  take("draft", tr("Take the schedule made by hand"), &LabWork::take_draft);
  take("text", tr("Take the edited assembly"), &LabWork::take_text);
  auto* taken = words_label(tr("nothing is handed in yet"), work_area_);
  taken->setObjectName("lab-taken-" + qt(wanted.name));
  connect(&work_, &LabWork::program_taken, taken,
          [taken, name = qt(wanted.name)](const QString& of, const QString& what) {
            if (of == name) taken->setText(what);
          });
  column.addWidget(taken);
}

void LabPanel::add_tiling(const labs::TilingWanted& wanted, QVBoxLayout& column) {
  auto* strategy = new QLineEdit(work_area_);
  strategy->setObjectName("lab-strategy-" + qt(wanted.name));
  strategy->setAccessibleName(tr("Strategy"));
  strategy->setPlaceholderText(tr("strategy, as the tiling view names it"));
  auto* sizes = new QLineEdit(work_area_);
  sizes->setObjectName("lab-sizes-" + qt(wanted.name));
  sizes->setAccessibleName(tr("Sizes of tiles"));
  sizes->setPlaceholderText(QStringLiteral("T_R=14, T_C=28, T_N=8, T_M=4"));
  const labs::Submission so_far = work_.submission();
  if (const labs::HandedTiling* given = labs::find_named(so_far.tilings, wanted.name)) {
    QStringList each_size;
    for (const labs::TileSizeSet& each : given->sizes)
      each_size << QStringLiteral("%1=%2").arg(qt(each.name)).arg(each.value);
    strategy->setText(qt(given->strategy));
    sizes->setText(each_size.join(QStringLiteral(", ")));
  }
  const auto take = [this, strategy, sizes, name = wanted.name] {
    work_.set_tiling(name, strategy->text(), sizes->text());
  };
  connect(strategy, &QLineEdit::textChanged, this, take);
  connect(sizes, &QLineEdit::textChanged, this, take);
  add_row(qt(wanted.text), strategy, column);
  column.addWidget(sizes);
}

void LabPanel::show_outcome() {
  const labs::Lab& lab = work_.lab()->lab;
  const auto& outcome = work_.outcome();
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const bool passed = outcome && outcome->tasks[i].passed;
    tasks_[i].title->setText(QStringLiteral("%1 %2 (%3)")
                                 .arg(passed ? QStringLiteral("✓") : QStringLiteral("○"), qt(lab.tasks[i].title),
                                      QString::number(lab.tasks[i].points)));
    const bool tells = outcome && outcome->refusals.empty() && !passed;
    tasks_[i].reasons->setText(tells ? QStringLiteral("→ ") + lines(outcome->tasks[i].reasons).replace('\n', "\n→ ")
                                     : QString());
    tasks_[i].reasons->setVisible(tells);
  }
  if (!outcome) return points_->setText(tr("%1: not checked yet").arg(qt(lab.title)));
  points_->setText(outcome->refusals.empty() ? tr("%1 of %2 points").arg(outcome->points()).arg(lab.points())
                                             : lines(outcome->refusals));
}

void LabPanel::show_news(const QString& text) {
  news_->setText(text);
  news_->setVisible(!text.isEmpty());
}

void LabPanel::hand_in() {
  if (!work_.lab()) return;
  const QString suggestion = qt(work_.lab()->lab.name) + "-submission.xml";
  const QString path =
      ask_for_file_to_write(this, tr("Hand in"), suggestion, tr("Submissions (*.xml)"), QStringLiteral(".xml"));
  if (!path.isEmpty()) work_.hand_in(path);
}

}  // namespace convscope::ui
