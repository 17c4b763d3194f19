#pragma once
// The words and tables of a report, as rich text.

#include <QString>

#include "ui/export/report.h"

namespace convscope::ui {

QString report_text(const ReportContent& content);

}  // namespace convscope::ui
