#include "ui/views/machines/sweep_scatter/scatter_widget.h"

#include <QCheckBox>
#include <QKeyEvent>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/document/exploration/exploration.h"
#include "ui/document/workbench.h"
#include "ui/views/machines/sweep_plot/flow_layout.h"

namespace convscope::ui {

ScatterWidget::ScatterWidget(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      canvas_(new ScatterCanvas(this)),
      scenes_([this] { return next_scene(); }) {
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
  connect_workbench();
  canvas_->set_theme(workbench.theme());
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
                       if (const auto point = canvas_->point()) workbench_.exploration().open_point(*point);
                     });
  choose_ = add_button(tools, QStringLiteral("sweep-choose"), tr("Mark"),
                       tr("Mark the point to compare it with another (Ctrl+click, Space)"), [this] {
                         if (const auto point = canvas_->point()) workbench_.exploration().choose(*point);
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
  canvas_->on_open = [this](std::uint64_t point) { workbench_.exploration().open_point(point); };
  canvas_->on_choose = [this](std::uint64_t point) { workbench_.exploration().choose(point); };
  canvas_->on_cursor = [this] { show_cursor(); };
  canvas_->describe = [this](std::uint64_t point) { return workbench_.exploration().describe(point); };
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

void ScatterWidget::connect_workbench() {
  const Exploration& exploration = workbench_.exploration();
  connect(&exploration, &Exploration::changed, this, [this] {
    show_look();
    scenes_.want_soon();
  });
  connect(&exploration, &Exploration::look_changed, this, [this] {
    show_look();
    scenes_.want();
  });
  connect(&workbench_, &Workbench::snapshot_changed, this, [this] {
    if (open_machine(workbench_.snapshot()) != marked_) scenes_.want();
  });
  connect(&workbench_, &Workbench::theme_changed, this, [this] { canvas_->set_theme(workbench_.theme()); });
}

void ScatterWidget::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  scenes_.want();
}

PictureJob::Work ScatterWidget::next_scene() {
  if (!isVisible()) return {};
  const Snapshot& snapshot = workbench_.snapshot();
  marked_ = open_machine(snapshot);
  const auto table = swept_table(snapshot);
  if (!table) {
    canvas_->show_message(missing_sweep_message(snapshot));
    return {};
  }
  return [this, table, look = snapshot.exploration->look, open = marked_](const Job&) {
    auto scene = std::make_shared<const ScatterScene>(table, look, open);
    return [this, scene] {
      if (swept_table(workbench_.snapshot())) canvas_->show_scene(scene);
    };
  };
}

void ScatterWidget::change(const std::function<void(SweepLook&)>& edit) {
  SweepLook look = workbench_.exploration().state()->look;
  edit(look);
  workbench_.exploration().set_look(look);
}

void ScatterWidget::show_look() {
  const auto state = workbench_.exploration().state();
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
  compare_->setEnabled(workbench_.exploration().state()->look.chosen.size() == 2);
}

void ScatterWidget::compare() {
  const auto chosen = workbench_.exploration().state()->look.chosen;
  if (chosen.size() == 2) workbench_.exploration().compare_points(chosen[0], chosen[1]);
}

QWidget* make_scatter_widget(Workbench& workbench, QWidget* parent) {
  return new ScatterWidget(workbench, parent);
}

}  // namespace convscope::ui
