#include "ui/views/machines/sweep_parallel/parallel_widget.h"

#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/model/machine_actions.h"
#include "ui/parts/drawing.h"
#include "ui/views/machines/sweep_plot/flow_layout.h"

namespace convscope::ui {

ParallelWidget::ParallelWidget(ViewHost& host, QWidget* parent)
    : QWidget(parent), host_(host), canvas_(new ParallelCanvas(this)), scenes_([this] { return next_scene(); }) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* tools = new FlowLayout;
  tools->setContentsMargins(8, 3, 8, 3);
  add_tools(*tools);
  column->addLayout(tools);
  canvas_->setObjectName(QStringLiteral("parallel-chart"));
  canvas_->setAccessibleName(tr("Points of the sweep as lines over parallel axes"));
  canvas_->on_edit = [this](const ParallelCanvas::EditLook& edit) { change(edit); };
  canvas_->on_open = [this](std::uint64_t point) { host_.machines().open_point(point); };
  canvas_->on_choose = [this](std::uint64_t point) { host_.machines().choose(point); };
  canvas_->describe = [this](std::uint64_t point) { return host_.machines().describe(point); };
  column->addWidget(canvas_, 1);
  setFocusProxy(canvas_);
  connect(&host, &ViewHost::changed, this, &ParallelWidget::follow);
  canvas_->set_theme(host.theme());
  show_look();
}

QToolButton* ParallelWidget::add_button(FlowLayout& tools, const QString& name, const QString& text,
                                        const QString& help) {
  auto* button = new QToolButton(this);
  button->setObjectName(name);
  button->setText(text);
  button->setToolTip(help);
  button->setAccessibleName(help);
  button->setAutoRaise(true);
  tools.addWidget(button);
  return button;
}

void ParallelWidget::add_tools(FlowLayout& tools) {
  colour_ =
      new ColumnChooser(this, QStringLiteral("parallel-colour"), tr("Colour"), ColumnChooser::Offers::all_or_none);
  colour_->on_choice = [this](const std::string& column) { change([&](SweepLook& look) { look.colour = column; }); };
  tools.addWidget(colour_);
  axes_ = add_button(tools, QStringLiteral("parallel-axes"), tr("Axes"), tr("Choose which axes are shown"));
  axes_->setPopupMode(QToolButton::InstantPopup);
  axes_->setMenu(new QMenu(axes_));
  connect(axes_->menu(), &QMenu::aboutToShow, this, [this] { list_axes(); });
  clear_ = add_button(tools, QStringLiteral("parallel-clear"), tr("Clear brushes"), tr("Clear all brushes (Escape)"));
  connect(clear_, &QToolButton::clicked, this, [this] { change([](SweepLook& look) { look.brushes.clear(); }); });
}

void ParallelWidget::list_axes() {
  QMenu& menu = *axes_->menu();
  menu.clear();
  const auto state = host_.snapshot().exploration;
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

void ParallelWidget::follow(Changes what) {
  if (what.testFlag(Change::theme)) canvas_->set_theme(host_.theme());
  if (what.testAnyFlags(Change::sweep | Change::look)) show_look();
  const bool run_changed = what.testAnyFlags(Change::network | Change::results);
  if (what.testFlag(Change::look) || (run_changed && open_machine(host_.snapshot()) != marked_)) return scenes_.want();
  if (what.testFlag(Change::sweep)) scenes_.want_soon();
}

void ParallelWidget::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  scenes_.want();
}

PictureJob::Work ParallelWidget::next_scene() {
  if (!isVisible()) return {};
  const Snapshot& snapshot = host_.snapshot();
  marked_ = open_machine(snapshot);
  const auto table = swept_table(snapshot);
  if (!table) {
    canvas_->show_message(missing_sweep_message(snapshot));
    return {};
  }
  const auto before = canvas_->painter() != nullptr ? canvas_->painter()->scene_pointer() : nullptr;
  return [this, table, look = snapshot.exploration->look, open = marked_, before](const Job&) {
    auto scene = std::make_shared<const ParallelScene>(table, look, open, before.get());
    return [this, scene] {
      if (swept_table(host_.snapshot())) canvas_->show_scene(scene);
    };
  };
}

void ParallelWidget::change(const std::function<void(SweepLook&)>& edit) {
  SweepLook look = host_.snapshot().exploration->look;
  edit(look);
  host_.machines().set_look(look);
}

void ParallelWidget::show_look() {
  const auto state = host_.snapshot().exploration;
  colour_->show(state->sweep.get(), state->look.colour);
  axes_->setEnabled(state->sweep != nullptr);
  clear_->setEnabled(!state->look.brushes.empty());
}

QWidget* make_parallel_widget(ViewHost& host, QWidget* parent) {
  return new ParallelWidget(host, parent);
}

}  // namespace convscope::ui
