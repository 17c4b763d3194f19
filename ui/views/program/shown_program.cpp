#include "ui/views/program/shown_program.h"

#include "ui/parts/canvas/message_painter.h"
#include "ui/parts/stale_mark.h"

namespace convscope::ui {

std::unique_ptr<CanvasPainter> picture_of_program(const Snapshot& snapshot, const QString& what,
                                                  const MakeProgramPainter& make) {
  ShownProgram shown{snapshot.programs(), snapshot.program(), {}};
  shown.subject.layer = snapshot.selection.layer;
  shown.subject.program = shown.number;
  auto painter = shown.compiled ? make(shown) : nullptr;
  if (!painter) return std::make_unique<MessagePainter>(missing_message(snapshot, what));
  painter->select(snapshot.selection);
  painter->set_stale(is_from_run_before(snapshot));
  return painter;
}

}  // namespace convscope::ui
