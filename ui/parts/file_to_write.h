#pragma once
// Asks for a file to write to.

#include <QString>

class QWidget;

namespace convscope::ui {

/// A name without an end gets `suffix` before it is asked whether a file of that name may be replaced: what comes back
/// is the file that the user agreed to. Empty: none.
QString ask_for_file_to_write(QWidget* parent, const QString& title, const QString& suggestion, const QString& filter,
                              const QString& suffix);

}  // namespace convscope::ui
