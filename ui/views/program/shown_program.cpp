#include "ui/views/program/shown_program.h"

#include "ui/parts/canvas/message_painter.h"
#include "ui/parts/stale_mark.h"
#include "ui/words/text.h"

namespace convscope::ui {

namespace {

QString words_for(const Snapshot& snapshot, const QString& what, ShownProgram shown, const MakeProgramPainter& make) {
  const int selected = shown.number, count = shown.compiled ? shown.compiled->program_count() : 0;
  for (int other = 0; other < count; ++other) {
    shown.number = shown.subject.program = other;
    if (other == selected || !make(shown)) continue;
    return words_of_other_program(*shown.compiled, selected, other, what);
  }
  return missing_message(snapshot, what);
}

}  // namespace

QString words_of_other_program(const target::Compiled& compiled, int selected, int other, const QString& what) {
  return QStringLiteral("‘%1’ has no %2. Choose ‘%3’ above, which has one.")
      .arg(to_text(compiled.program_name(selected)), what, to_text(compiled.program_name(other)));
}

std::unique_ptr<CanvasPainter> picture_of_program(const Snapshot& snapshot, const QString& what,
                                                  const MakeProgramPainter& make) {
  ShownProgram shown{snapshot.programs(), snapshot.program(), {}};
  shown.subject.layer = snapshot.selection.layer;
  shown.subject.program = shown.number;
  auto painter = shown.compiled ? make(shown) : nullptr;
  if (!painter) return std::make_unique<MessagePainter>(words_for(snapshot, what, shown, make));
  painter->select(snapshot.selection);
  painter->set_stale(is_from_run_before(snapshot));
  return painter;
}

}  // namespace convscope::ui
