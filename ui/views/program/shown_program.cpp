#include "ui/views/program/shown_program.h"

#include "ui/parts/canvas/message_painter.h"
#include "ui/parts/stale_mark.h"

namespace convscope::ui {

namespace {

ShownProgram selected(const Snapshot& snapshot) {
  ShownProgram shown{snapshot.programs(), snapshot.program(), {}};
  shown.subject.layer = snapshot.selection.layer;
  shown.subject.program = shown.number;
  return shown;
}

std::unique_ptr<CanvasPainter> finished(std::unique_ptr<CanvasPainter> painter, const Snapshot& snapshot,
                                        const QString& what) {
  if (!painter) return std::make_unique<MessagePainter>(missing_message(snapshot, what));
  painter->select(snapshot.selection);
  painter->set_stale(is_from_run_before(snapshot));
  return painter;
}

}  // namespace

std::unique_ptr<CanvasPainter> picture_of_program(const Snapshot& snapshot, const QString& what,
                                                  const MakeProgramPainter& make) {
  const ShownProgram shown = selected(snapshot);
  return finished(shown.compiled ? make(shown) : nullptr, snapshot, what);
}

std::unique_ptr<CanvasPainter> picture_of_any_program(const Snapshot& snapshot, const QString& what,
                                                      const MakeProgramPainter& make) {
  ShownProgram shown = selected(snapshot);
  auto painter = shown.compiled ? make(shown) : nullptr;
  for (int other = 0; !painter && shown.compiled && other < shown.compiled->program_count(); ++other) {
    shown.number = shown.subject.program = other;
    painter = make(shown);
  }
  return finished(std::move(painter), snapshot, what);
}

}  // namespace convscope::ui
