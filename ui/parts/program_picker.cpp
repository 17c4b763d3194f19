#include "ui/parts/program_picker.h"

#include <QSignalBlocker>

#include "ui/model/view_host.h"
#include "ui/parts/drawing.h"

namespace convscope::ui {

ProgramPicker::ProgramPicker(ViewHost& host, QWidget* parent) : QComboBox(parent), host_(host) {
  setObjectName(QStringLiteral("program_picker"));
  setAccessibleName(QStringLiteral("Program"));
  setToolTip(QStringLiteral("Program of what is selected"));
  setSizeAdjustPolicy(QComboBox::AdjustToContents);
  connect(&host, &ViewHost::changed, this, [this](Changes what) {
    if (what.testAnyFlags(Change::network | Change::results | Change::selection)) refresh();
  });
  connect(this, &QComboBox::activated, this, [this](int program) {
    artifact::Ref ref;
    ref.layer = host_.snapshot().selection.layer;
    ref.program = program;
    host_.select(ref);
  });
  refresh();
}

void ProgramPicker::refresh() {
  const QSignalBlocker blocker(this);
  const auto shown = host_.snapshot().programs();
  const int programs = shown ? shown->program_count() : 0;
  QStringList names;
  for (int program = 0; program < programs; ++program) names << to_text(shown->program_name(program));
  bool same = names.size() == count();
  for (int i = 0; same && i < count(); ++i) same = itemText(i) == names[i];
  if (!same) {
    clear();
    addItems(names);
  }
  setCurrentIndex(programs > 0 ? host_.snapshot().program() : -1);
  setVisible(programs > 1);
}

}  // namespace convscope::ui
