// Tests of the window run without a display, in one application.

#include <QApplication>
#include <QSettings>
#include <QStyleFactory>
#include <QTemporaryDir>

#include <gtest/gtest.h>

#include "ui/jobs/threads.h"

int main(int argc, char** argv) {
  // Nobody's own settings and data are read or written.
  const QTemporaryDir settings;
  qputenv("QT_QPA_PLATFORM", "offscreen");
  qputenv("XDG_DATA_HOME", settings.path().toLocal8Bit());
  qputenv("XDG_CACHE_HOME", settings.path().toLocal8Bit());
  testing::InitGoogleTest(&argc, argv);
  QApplication application(argc, argv);
  QCoreApplication::setOrganizationName("ConvScope tests");
  QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
  QApplication::setStyle(QStyleFactory::create("Fusion"));
  return convscope::ui::end_jobs(RUN_ALL_TESTS());
}
