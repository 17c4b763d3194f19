// Words of the window outside of classes that have a tr() of their own.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace convscope::ui {

inline QString translated(const char* text) {
  return QCoreApplication::translate("ConvScope", text);
}

}  // namespace convscope::ui
