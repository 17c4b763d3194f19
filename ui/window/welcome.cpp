#include "ui/window/welcome.h"

#include <QCheckBox>
#include <QFile>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSlider>
#include <QToolButton>
#include <QXmlStreamReader>
#include <algorithm>

#include "core/base/resources.h"

namespace convscope::ui {
namespace {

constexpr const char* hidden_key = "welcome/hidden";
constexpr int drag_milliseconds = 350;  // slow enough to be watched
constexpr int most_waits = 20;

WelcomeThing read_thing(QXmlStreamReader& reader) {
  const auto attributes = reader.attributes();
  const auto value = [&](const char* name) { return attributes.value(QLatin1String(name)).toString(); };
  WelcomeThing thing;
  thing.id = value("id");
  thing.title = value("title");
  thing.button = value("button");
  thing.pins = value("baseline") == "pin";
  thing.sample = value("sample");
  thing.target = value("target");
  thing.view = value("view");
  thing.drag = value("drag");
  thing.lab = value("lab");
  thing.text = reader.readElementText().simplified();
  return thing;
}

/// To both ends and past the start, so that what changes is seen, and last first.
std::vector<int> drag_path(const QSlider& slider) {
  const int start = slider.value(), reach = std::max(1, std::min(2, slider.maximum() / 2));
  std::vector<int> path;
  for (const int offset : {-1, -reach, -1, 0, 1}) {
    const int position = std::clamp(start + offset, slider.minimum(), slider.maximum());
    if (path.empty() || path.back() != position) path.push_back(position);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace

std::vector<WelcomeThing> read_welcome_things(const QString& path, Diagnostics& diagnostics) {
  std::vector<WelcomeThing> things;
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) {
    diagnostics.error({path.toStdString(), 0, {}}, "cannot be opened: " + file.errorString().toStdString());
    return things;
  }
  QXmlStreamReader reader(&file);
  reader.readNextStartElement();
  while (reader.readNextStartElement()) things.push_back(read_thing(reader));
  if (reader.hasError()) {
    diagnostics.error({path.toStdString(), static_cast<int>(reader.lineNumber()), {}},
                      reader.errorString().toStdString());
    things.clear();
  }
  return things;
}

WelcomePage::WelcomePage(Workbench& workbench, QWidget* parent) : QFrame(parent), workbench_(workbench) {
  setObjectName("welcome");
  setAccessibleName(tr("Things to try"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::AlternateBase);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Minimum);  // a maximum would cut what wraps
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 10);
  add_head(*column);
  auto* row = new QHBoxLayout;
  row->setSpacing(24);
  column->addLayout(row);
  Diagnostics ignored;  // without its file the page has nothing to offer; the program works all the same
  const auto path = QString::fromStdString(resource_path("welcome/things.xml"));
  for (const WelcomeThing& thing : read_welcome_things(path, ignored)) add_thing(*row, thing);
  drag_.setInterval(drag_milliseconds);
  connect(&drag_, &QTimer::timeout, this, &WelcomePage::drag_step);
  hide();
}

void WelcomePage::add_head(QBoxLayout& column) {
  auto* head = new QHBoxLayout;
  auto* title = new QLabel(tr("<b>Things to try</b>"), this);
  never_again_ = new QCheckBox(tr("&Don't show this again"), this);
  never_again_->setObjectName("welcome-never-again");
  never_again_->setToolTip(tr("Help, Things to try shows it whenever you like"));
  auto* close = new QToolButton(this);
  close->setObjectName("welcome-close");
  close->setText(QStringLiteral("✕"));
  close->setAccessibleName(tr("Close"));
  close->setToolTip(tr("Close (Escape)"));
  close->setAutoRaise(true);
  head->addWidget(title, 1);
  head->addWidget(never_again_);
  head->addWidget(close);
  column.addLayout(head);
  connect(close, &QToolButton::clicked, this, &WelcomePage::close_page);
  connect(never_again_, &QCheckBox::clicked, this, [](bool hidden) { QSettings().setValue(hidden_key, hidden); });
}

void WelcomePage::add_thing(QBoxLayout& row, const WelcomeThing& thing) {
  auto* column = new QVBoxLayout;
  auto* title = new QLabel("<b>" + thing.title.toHtmlEscaped() + "</b>", this);
  auto* text = new QLabel(thing.text, this);
  text->setTextFormat(Qt::PlainText);
  text->setWordWrap(true);
  text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  auto* button = new QPushButton(thing.button, this);
  button->setObjectName("try-" + thing.id);
  button->setAccessibleDescription(thing.text);
  title->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  column->setSpacing(4);
  column->addWidget(title);
  column->addWidget(text, 1);
  column->addWidget(button, 0, Qt::AlignLeft);
  row.addLayout(column, 1);
  button->setToolTip(thing.text);
  words_.insert(words_.end(), {title, text});
  connect(button, &QPushButton::clicked, this, [this, thing] {
    try_out(thing);
    show_words(false);
  });
}

// What is tried needs the room: the buttons stay, their tooltips have the words.
void WelcomePage::show_words(bool shown) {
  for (QLabel* each : words_) each->setVisible(shown);
}

bool WelcomePage::wanted_at_start() {
  return !QSettings().value(hidden_key, false).toBool();
}

void WelcomePage::try_out(const WelcomeThing& thing) {
  if (thing.pins) workbench_.pin_baseline();
  if (!thing.sample.isEmpty()) {
    const auto path = "networks/" + thing.sample.toStdString() + ".xml";
    workbench_.open_network(QString::fromStdString(sample_path(path)));
  }
  if (!thing.target.isEmpty()) workbench_.set_target(thing.target);
  if (!thing.view.isEmpty()) emit view_wanted(thing.view);
  if (!thing.drag.isEmpty()) start_drag(thing.drag);
  if (!thing.lab.isEmpty())
    emit lab_wanted(QString::fromStdString(sample_path("labs/" + thing.lab.toStdString() + "/lab.xml")));
}

void WelcomePage::start_drag(const QString& parameter) {
  if (drag_.isActive()) return;
  dragged_ = parameter;
  slider_ = nullptr;
  waited_ = 0;
  drag_.start();
}

void WelcomePage::drag_step() {
  if (!slider_) {
    slider_ = window()->findChild<QSlider*>("slider-" + dragged_);
    if (!slider_) return ++waited_ < most_waits ? void() : drag_.stop();
    path_ = drag_path(*slider_);
    slider_->setFocus(Qt::OtherFocusReason);
    slider_->setSliderDown(true);
  }
  if (path_.empty()) {
    slider_->setSliderDown(false);
    return drag_.stop();
  }
  slider_->setValue(path_.back());
  path_.pop_back();
}

void WelcomePage::close_page() {
  hide();
}

void WelcomePage::showEvent(QShowEvent* event) {
  never_again_->setChecked(!wanted_at_start());
  show_words(true);
  QFrame::showEvent(event);
}

void WelcomePage::keyPressEvent(QKeyEvent* event) {
  event->key() == Qt::Key_Escape ? close_page() : QFrame::keyPressEvent(event);
}

}  // namespace convscope::ui
