#pragma once
// The program that the views of a program show, and how their pictures are made from a snapshot.

#include <QString>
#include <functional>
#include <memory>

#include "ui/parts/canvas/canvas.h"

namespace convscope::ui {

struct ShownProgram {
  std::shared_ptr<const target::Compiled> compiled;  ///< never null
  int number = 0;
  artifact::Ref subject;  ///< its layer and itself
};

/// Returns null if the program has nothing to draw.
using MakeProgramPainter = std::function<std::unique_ptr<CanvasPainter>(const ShownProgram& shown)>;

/// That the selected program has no `what`, such as "memory map", and that another one has.
QString words_of_other_program(const target::Compiled& compiled, int selected, int other, const QString& what);

/// What `make` makes, with the selection marked, and said to be from the run before if it is; words about why `what`
/// is missing if there is nothing to draw, and which other program has it: an estimate has no code, while the program
/// that was made for it has. Never null.
std::unique_ptr<CanvasPainter> picture_of_program(const Snapshot& snapshot, const QString& what,
                                                  const MakeProgramPainter& make);

}  // namespace convscope::ui
