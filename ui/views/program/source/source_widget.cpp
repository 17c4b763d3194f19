#include <QComboBox>
#include <QSignalBlocker>

#include "ui/parts/canvas/canvas_panel.h"
#include "ui/parts/canvas/canvas_search.h"
#include "ui/views/program/source/source_painter.h"
#include "ui/words/text.h"

namespace convscope::ui {
namespace {

/// Which stage of the syntax tree is shown.
class StageChoice : public QObject {
 public:
  explicit StageChoice(CanvasPanel& panel) : QObject(&panel), panel_(panel), stages_(new QComboBox(&panel)) {
    stages_->setObjectName(QStringLiteral("source_stage"));
    stages_->setAccessibleName(QStringLiteral("Stage of the syntax tree"));
    stages_->setToolTip(QStringLiteral("The tree after each manipulator; the last one knows the lines of the text"));
    connect(stages_, &QComboBox::currentIndexChanged, this, [this](int index) { choose(index); });
    panel.add_tool(stages_);
    panel.on_painter = [this] { list(); };
  }

 private:
  void choose(int index) {
    // The last one stays the last one, whatever the next program has gone through.
    const int stage = index == stages_->count() - 1 ? -1 : index;
    panel_.set_prepare([stage](const Snapshot& snapshot) { return make_source_canvas(snapshot, stage); });
  }

  void list() {
    const auto* painter = dynamic_cast<const SourcePainter*>(panel_.canvas().painter());
    stages_->setEnabled(painter != nullptr);
    if (!painter) return;
    const QSignalBlocker quiet(stages_);
    stages_->clear();
    for (const artifact::SourceStage& stage : painter->scene().source().stages) stages_->addItem(to_text(stage.name));
    stages_->setCurrentIndex(painter->scene().stage());
  }

  CanvasPanel& panel_;
  QComboBox* stages_;
};

}  // namespace

QWidget* make_source_widget(ViewHost& host, QWidget* parent) {
  const auto prepare = [](const Snapshot& snapshot) { return make_source_canvas(snapshot, -1); };
  auto* panel = new CanvasPanel(host, parent, prepare, CanvasPanel::Shows::program);
  new StageChoice(*panel);  // the panel's own
  panel->add_tool(new CanvasSearch(*panel, QStringLiteral("source_search"), QStringLiteral("Search the source")));
  return panel;
}

}  // namespace convscope::ui
