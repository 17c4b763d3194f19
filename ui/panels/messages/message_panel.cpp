#include "ui/panels/messages/message_panel.h"

#include <QHeaderView>

#include "ui/panels/common/copy_action.h"
#include "ui/panels/messages/message_model.h"

namespace convscope::ui {
namespace {

constexpr int row_padding = 6;

}  // namespace

MessagePanel::MessagePanel(Workbench& workbench, QWidget* parent) : QTableView(parent) {
  setObjectName("message-table");
  setAccessibleName(tr("Messages"));
  auto* model = new MessageModel(workbench, this);
  setModel(model);
  setSelectionBehavior(SelectRows);
  setFrameShape(QFrame::NoFrame);
  setWordWrap(false);
  setShowGrid(false);
  setAlternatingRowColors(true);
  setTabKeyNavigation(false);  // Tab goes on to the next panel
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + row_padding);
  horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  horizontalHeader()->setStretchLastSection(true);
  add_copy_action(*this);
  connect(model, &QAbstractItemModel::modelReset, this, &QTableView::resizeColumnsToContents);
  resizeColumnsToContents();
}

}  // namespace convscope::ui
