#include "ui/panels/messages/message_model.h"

#include <QBrush>
#include <QFileInfo>

namespace convscope::ui {
namespace {

QString where_text(const Location& where) {
  QStringList parts;
  if (!where.file.empty()) parts << QFileInfo(QString::fromStdString(where.file)).fileName();
  if (where.line > 0) parts << QObject::tr("line %1").arg(where.line);
  if (!where.element.empty()) parts << QString::fromStdString(where.element);
  return parts.join(QStringLiteral(", "));
}

}  // namespace

MessageModel::MessageModel(Workbench& workbench, QObject* parent) : QAbstractTableModel(parent), workbench_(workbench) {
  connect(&workbench, &Workbench::messages_changed, this, &MessageModel::refresh);
  on_change(workbench, this, Change::theme, [this] { refresh(); });
  refresh();
}

void MessageModel::refresh() {
  beginResetModel();
  shown_ = workbench_.messages();
  endResetModel();
}

int MessageModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.items().size());
}

int MessageModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : column_count;
}

QString MessageModel::text(const Diagnostic& diagnostic, int column) const {
  switch (column) {
    case severity:
      return diagnostic.severity == Severity::error
                 ? tr("error")
                 : (diagnostic.severity == Severity::warning ? tr("warning") : tr("note"));
    case where:
      return where_text(diagnostic.where);
    case what:
      return QString::fromStdString(diagnostic.what);
    case expected:
      return QString::fromStdString(diagnostic.expected);
    case hint:
      return QString::fromStdString(diagnostic.hint);
    default:
      return {};
  }
}

QVariant MessageModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Diagnostic& diagnostic = shown_.items()[static_cast<std::size_t>(index.row())];
  if (role == Qt::DisplayRole) return text(diagnostic, index.column());
  if (role == Qt::ToolTipRole) return QString::fromStdString(diagnostic.text());
  if (role != Qt::ForegroundRole || index.column() != severity) return {};
  const Theme& theme = workbench_.theme();
  if (diagnostic.severity == Severity::error) return QBrush(theme.error);
  return QBrush(diagnostic.severity == Severity::warning ? theme.warning : theme.note);
}

QVariant MessageModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case severity:
      return tr("Kind");
    case where:
      return tr("Where");
    case what:
      return tr("What");
    case expected:
      return tr("Expected");
    case hint:
      return tr("Hint");
    default:
      return {};
  }
}

}  // namespace convscope::ui
