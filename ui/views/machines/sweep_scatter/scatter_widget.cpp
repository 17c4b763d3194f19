#include "ui/views/machines/sweep_scatter/scatter_widget.h"

#include <QCheckBox>
#include <QKeyEvent>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/model/machine_actions.h"
#include "ui/views/machines/sweep_plot/flow_layout.h"

namespace convscope::ui {

ScatterWidget::ScatterWidget(ViewHost& host, QWidget* parent)
    : QWidget(parent), host_(host), canvas_(new ScatterCanvas(this)), scenes_([this] { return next_scene(); }) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* tools = new FlowLayout;
  tools->setContentsMargins(8, 3, 8, 3);
  add_columns(*tools);
  add_actions(*tools);
  column->addLayout(tools);
  canvas_->setObjectName(QStringLiteral("sweep-chart"));
  canvas_->setAccessibleName(tr("Points of the sweep"));
  column->addWidget(canvas_, 1);
  setFocusProxy(canvas_);
  connect_canvas();
  connect(&host, &ViewHost::changed, this, &ScatterWidget::follow);
  canvas_->set_theme(host.theme());
  show_look();
}

void ScatterWidget::add_columns(FlowLayout& tools) {
  using Offers = ColumnChooser::Offers;
  const auto add = [&](const QString& name, const QString& title, Offers offers, std::string SweepLook::*value) {
    auto* chooser = new ColumnChooser(this, name, title, offers);
    chooser->on_choice = [this, value](const std::string& column) {
      change([&](SweepLook& look) { look.*value = column; });
    };
    tools.addWidget(chooser);
    return chooser;
  };
  y_ = add(QStringLiteral("sweep-y"), tr("Up"), Offers::all, &SweepLook::y);
  log_y_ = add_switch(tools, QStringLiteral("sweep-log-y"), tr("Vertical axis logarithmic"), &SweepLook::logarithmic_y);
  x_ = add(QStringLiteral("sweep-x"), tr("Right"), Offers::all, &SweepLook::x);
  log_x_ =
      add_switch(tools, QStringLiteral("sweep-log-x"), tr("Horizontal axis logarithmic"), &SweepLook::logarithmic_x);
  colour_ = add(QStringLiteral("sweep-colour"), tr("Colour"), Offers::all_or_none, &SweepLook::colour);
  size_ = add(QStringLiteral("sweep-size"), tr("Size"), Offers::numbers_or_none, &SweepLook::size);
}

QCheckBox* ScatterWidget::add_switch(FlowLayout& tools, const QString& name, const QString& title,
                                     bool SweepLook::*value) {
  auto* box = new QCheckBox(tr("log"), this);
  box->setObjectName(name);
  box->setAccessibleName(title);
  box->setToolTip(title);
  connect(box, &QCheckBox::clicked, this,
          [this, value](bool on) { change([&](SweepLook& look) { look.*value = on; }); });
  tools.addWidget(box);
  return box;
}

QToolButton* ScatterWidget::add_button(FlowLayout& tools, const QString& name, const QString& text, const QString& help,
                                       std::function<void()> action) {
  auto* button = new QToolButton(this);
  button->setObjectName(name);
  button->setText(text);
  button->setToolTip(help);
  button->setAccessibleName(help);
  button->setAutoRaise(true);
  connect(button, &QToolButton::clicked, this, std::move(action));
  tools.addWidget(button);
  return button;
}

void ScatterWidget::add_actions(FlowLayout& tools) {
  open_ = add_button(tools, QStringLiteral("sweep-open"), tr("Open"),
                     tr("Open the marked point's machine (click, Enter); can be undone"), [this] {
                       if (const auto point = canvas_->point()) host_.machines().open_point(*point);
                     });
  choose_ = add_button(tools, QStringLiteral("sweep-choose"), tr("Mark"),
                       tr("Mark the point to compare it with another (Ctrl+click, Space)"), [this] {
                         if (const auto point = canvas_->point()) host_.machines().choose(*point);
                       });
  compare_ = add_button(tools, QStringLiteral("sweep-compare"), tr("Compare"),
                        tr("Compare the two marked points like two runs (C)"), [this] { compare(); });
  add_button(tools, QStringLiteral("sweep-zoom-out"), QStringLiteral("−"), tr("Zoom out (−, wheel)"),
             [this] { canvas_->zoom(0.8); });
  add_button(tools, QStringLiteral("sweep-zoom-in"), QStringLiteral("+"), tr("Zoom in (+, wheel)"),
             [this] { canvas_->zoom(1.25); });
  add_button(tools, QStringLiteral("sweep-fit"), tr("Fit"), tr("Show everything (0)"), [this] { canvas_->fit(); });
}

void ScatterWidget::connect_canvas() {
  canvas_->on_open = [this](std::uint64_t point) { host_.machines().open_point(point); };
  canvas_->on_choose = [this](std::uint64_t point) { host_.machines().choose(point); };
  canvas_->on_cursor = [this] { show_cursor(); };
  canvas_->describe = [this](std::uint64_t point) { return host_.machines().describe(point); };
  canvas_->on_key = [this](const QKeyEvent& event) {
    if (event.key() == Qt::Key_C && event.modifiers() == Qt::NoModifier) {
      compare();
      return true;
    }
    if (event.key() != Qt::Key_Escape) return false;
    change([](SweepLook& look) {
      look.brushes.clear();
      look.chosen.clear();
    });
    return true;
  };
}

void ScatterWidget::follow(Changes what) {
  if (what.testFlag(Change::theme)) canvas_->set_theme(host_.theme());
  if (what.testAnyFlags(Change::sweep | Change::look)) show_look();
  const bool run_changed = what.testAnyFlags(Change::network | Change::results);
  if (what.testFlag(Change::look) || (run_changed && open_machine(host_.snapshot()) != marked_)) return scenes_.want();
  if (what.testFlag(Change::sweep)) scenes_.want_soon();
}

void ScatterWidget::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  scenes_.want();
}

PictureJob::Work ScatterWidget::next_scene() {
  if (!isVisible()) return {};
  const Snapshot& snapshot = host_.snapshot();
  marked_ = open_machine(snapshot);
  const auto table = swept_table(snapshot);
  if (!table) {
    canvas_->show_message(missing_sweep_message(snapshot));
    return {};
  }
  return [this, table, look = snapshot.exploration->look, open = marked_](const Job&) {
    auto scene = std::make_shared<const ScatterScene>(table, look, open);
    return [this, scene] {
      if (swept_table(host_.snapshot())) canvas_->show_scene(scene);
    };
  };
}

void ScatterWidget::change(const std::function<void(SweepLook&)>& edit) {
  SweepLook look = host_.snapshot().exploration->look;
  edit(look);
  host_.machines().set_look(look);
}

void ScatterWidget::show_look() {
  const auto state = host_.snapshot().exploration;
  const SweepLook& look = state->look;
  const explore::SweepTable* table = state->sweep && !state->sweep->columns.empty() ? state->sweep.get() : nullptr;
  x_->show(table, table != nullptr ? x_column_of(*table, look).key : std::string());
  y_->show(table, table != nullptr ? y_column_of(*table, look).key : std::string());
  colour_->show(table, look.colour);
  size_->show(table, look.size);
  const auto offer = [table](QCheckBox& box, bool on, const explore::SweepColumn* column) {
    box.setEnabled(table != nullptr && column->names.empty());
    box.setChecked(on);
  };
  offer(*log_x_, look.logarithmic_x, table != nullptr ? &x_column_of(*table, look) : nullptr);
  offer(*log_y_, look.logarithmic_y, table != nullptr ? &y_column_of(*table, look) : nullptr);
  show_cursor();
}

void ScatterWidget::show_cursor() {
  if (compare_ == nullptr) return;
  const bool any = canvas_->point().has_value();
  open_->setEnabled(any);
  choose_->setEnabled(any);
  compare_->setEnabled(host_.snapshot().exploration->look.chosen.size() == 2);
}

void ScatterWidget::compare() {
  const auto chosen = host_.snapshot().exploration->look.chosen;
  if (chosen.size() == 2) host_.machines().compare_points(chosen[0], chosen[1]);
}

QWidget* make_scatter_widget(ViewHost& host, QWidget* parent) {
  return new ScatterWidget(host, parent);
}

}  // namespace convscope::ui
