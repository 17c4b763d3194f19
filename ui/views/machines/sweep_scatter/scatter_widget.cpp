#include "ui/views/machines/sweep_scatter/scatter_widget.h"

#include <QCheckBox>
#include <QKeyEvent>
#include <QToolButton>

namespace convscope::ui {

ScatterWidget::ScatterWidget(ViewHost& host, QWidget* parent)
    : ScatterWidget(host, parent, new ScatterCanvas(nullptr)) {}

ScatterWidget::ScatterWidget(ViewHost& host, QWidget* parent, ScatterCanvas* canvas)
    : SweepChart(host, parent, *canvas), canvas_(canvas) {
  add_columns();
  add_actions();
  canvas_->setObjectName(QStringLiteral("sweep-chart"));
  canvas_->setAccessibleName(tr("Points of the sweep"));
  connect_canvas();
  show_look();
}

void ScatterWidget::add_columns() {
  using Offers = ColumnChooser::Offers;
  const auto add = [&](const QString& name, const QString& title, Offers offers, std::string SweepLook::*value) {
    auto* chooser = new ColumnChooser(this, name, title, offers);
    chooser->on_choice = [this, value](const std::string& column) {
      change([&](SweepLook& look) { look.*value = column; });
    };
    tools().addWidget(chooser);
    return chooser;
  };
  y_ = add(QStringLiteral("sweep-y"), tr("Up"), Offers::all, &SweepLook::y);
  log_y_ = add_switch(QStringLiteral("sweep-log-y"), tr("Vertical axis logarithmic"), &SweepLook::logarithmic_y);
  x_ = add(QStringLiteral("sweep-x"), tr("Right"), Offers::all, &SweepLook::x);
  log_x_ = add_switch(QStringLiteral("sweep-log-x"), tr("Horizontal axis logarithmic"), &SweepLook::logarithmic_x);
  colour_ = add(QStringLiteral("sweep-colour"), tr("Colour"), Offers::all_or_none, &SweepLook::colour);
  size_ = add(QStringLiteral("sweep-size"), tr("Size"), Offers::numbers_or_none, &SweepLook::size);
}

QCheckBox* ScatterWidget::add_switch(const QString& name, const QString& title, bool SweepLook::*value) {
  auto* box = new QCheckBox(tr("log"), this);
  box->setObjectName(name);
  box->setAccessibleName(title);
  box->setToolTip(title);
  connect(box, &QCheckBox::clicked, this,
          [this, value](bool on) { change([&](SweepLook& look) { look.*value = on; }); });
  tools().addWidget(box);
  return box;
}

void ScatterWidget::add_actions() {
  open_ = add_button(QStringLiteral("sweep-open"), tr("Open"),
                     tr("Open the marked point's machine (click, Enter); can be undone"), [this] {
                       if (const auto point = canvas_->point()) host().machines().open_point(*point);
                     });
  choose_ = add_button(QStringLiteral("sweep-choose"), tr("Mark"),
                       tr("Mark the point to compare it with another (Ctrl+click, Space)"), [this] {
                         if (const auto point = canvas_->point()) host().machines().choose(*point);
                       });
  compare_ = add_button(QStringLiteral("sweep-compare"), tr("Compare"),
                        tr("Compare the two marked points like two runs (C)"), [this] { compare(); });
  add_button(QStringLiteral("sweep-zoom-out"), QStringLiteral("−"), tr("Zoom out (−, wheel)"),
             [this] { canvas_->zoom(0.8); });
  add_button(QStringLiteral("sweep-zoom-in"), QStringLiteral("+"), tr("Zoom in (+, wheel)"),
             [this] { canvas_->zoom(1.25); });
  add_button(QStringLiteral("sweep-fit"), tr("Fit"), tr("Show everything (0)"), [this] { canvas_->fit(); });
}

void ScatterWidget::connect_canvas() {
  canvas_->on_cursor = [this] { show_cursor(); };
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

SweepChart::MakeScene ScatterWidget::scene_of(std::shared_ptr<const explore::SweepTable> table, const SweepLook& look,
                                              const std::optional<OpenMachine>& open) {
  return [this, table = std::move(table), look, open]() -> Deliver {
    auto scene = std::make_shared<const ScatterScene>(table, look, open);
    return [this, scene] { canvas_->show_scene(scene); };
  };
}

void ScatterWidget::show_look() {
  const auto state = host().snapshot().exploration;
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
  compare_->setEnabled(host().snapshot().exploration->look.chosen.size() == 2);
}

void ScatterWidget::compare() {
  const auto chosen = host().snapshot().exploration->look.chosen;
  if (chosen.size() == 2) host().machines().compare_points(chosen[0], chosen[1]);
}

QWidget* make_scatter_widget(ViewHost& host, QWidget* parent) {
  return new ScatterWidget(host, parent);
}

}  // namespace convscope::ui
