#include "ui/views/machines/sweep_parallel/parallel_widget.h"

#include <QMenu>
#include <QToolButton>

#include "ui/parts/drawing.h"

namespace convscope::ui {

ParallelWidget::ParallelWidget(ViewHost& host, QWidget* parent)
    : ParallelWidget(host, parent, new ParallelCanvas(nullptr)) {}

ParallelWidget::ParallelWidget(ViewHost& host, QWidget* parent, ParallelCanvas* canvas)
    : SweepChart(host, parent, *canvas), canvas_(canvas) {
  add_tools();
  canvas_->setObjectName(QStringLiteral("parallel-chart"));
  canvas_->setAccessibleName(tr("Points of the sweep as lines over parallel axes"));
  canvas_->on_edit = [this](const EditLook& edit) { change(edit); };
  show_look();
}

void ParallelWidget::add_tools() {
  colour_ =
      new ColumnChooser(this, QStringLiteral("parallel-colour"), tr("Colour"), ColumnChooser::Offers::all_or_none);
  colour_->on_choice = [this](const std::string& column) { change([&](SweepLook& look) { look.colour = column; }); };
  tools().addWidget(colour_);
  axes_ = add_button(QStringLiteral("parallel-axes"), tr("Axes"), tr("Choose which axes are shown"));
  axes_->setPopupMode(QToolButton::InstantPopup);
  axes_->setMenu(new QMenu(axes_));
  connect(axes_->menu(), &QMenu::aboutToShow, this, [this] { list_axes(); });
  clear_ = add_button(QStringLiteral("parallel-clear"), tr("Clear brushes"), tr("Clear all brushes (Escape)"),
                      [this] { change([](SweepLook& look) { look.brushes.clear(); }); });
}

void ParallelWidget::list_axes() {
  QMenu& menu = *axes_->menu();
  menu.clear();
  const auto state = host().snapshot().exploration;
  if (!state->sweep) return;
  for (const explore::SweepColumn& column : state->sweep->columns) {
    auto* action = menu.addAction(to_text(column.label.empty() ? column.key : column.label));
    action->setCheckable(true);
    action->setChecked(is_axis_shown(*state->sweep, column, state->look.parallel));
    connect(action, &QAction::toggled, this,
            [this, key = column.key](bool shown) { change([&](SweepLook& look) { show_axis(look, key, shown); }); });
  }
  menu.addSeparator();
  menu.addAction(tr("The usual axes, in their usual order"), this, [this] {
    change([](SweepLook& look) {
      look.parallel.hidden.clear();
      look.parallel.shown.clear();
      look.parallel.order.clear();
    });
  });
}

SweepChart::MakeScene ParallelWidget::scene_of(std::shared_ptr<const explore::SweepTable> table, const SweepLook& look,
                                               const std::optional<OpenMachine>& open) {
  const auto before = canvas_->painter() != nullptr ? canvas_->painter()->scene_pointer() : nullptr;
  return [this, table = std::move(table), look, open, before]() -> Deliver {
    auto scene = std::make_shared<const ParallelScene>(table, look, open, before.get());
    return [this, scene] { canvas_->show_scene(scene); };
  };
}

void ParallelWidget::show_look() {
  const auto state = host().snapshot().exploration;
  colour_->show(state->sweep.get(), state->look.colour);
  axes_->setEnabled(state->sweep != nullptr);
  clear_->setEnabled(!state->look.brushes.empty());
}

QWidget* make_parallel_widget(ViewHost& host, QWidget* parent) {
  return new ParallelWidget(host, parent);
}

}  // namespace convscope::ui
