#include "ui/panels/common/copy_action.h"

#include <QAbstractItemView>
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QTableView>
#include <QTimer>
#include <memory>

#include "ui/parts/table_text.h"

namespace convscope::ui {
namespace {

constexpr int step_milliseconds = 10;

/// Copies a table between the window's other events; begins anew if the table changes meanwhile. Tables that are not
/// large are copied at once.
class Copying : public QObject {
 public:
  explicit Copying(QAbstractItemView& view) : QObject(&view), view_(view) {
    connect(&next_, &QTimer::timeout, this, [this] { step(); });
    const QAbstractItemModel* model = view.model();
    connect(model, &QAbstractItemModel::modelReset, this, [this] { begin_anew(); });
    connect(model, &QAbstractItemModel::rowsInserted, this, [this] { begin_anew(); });
    connect(model, &QAbstractItemModel::rowsRemoved, this, [this] { begin_anew(); });
    connect(model, &QAbstractItemModel::layoutChanged, this, [this] { begin_anew(); });
    connect(model, &QAbstractItemModel::dataChanged, this, [this] { begin_anew(); });
  }
  void start() {
    text_ = text_of_view();
    next_.start(0);
    step();
  }

 private:
  /// What is shown: columns that the user took away stay away.
  std::unique_ptr<TableText> text_of_view() const {
    const auto* table = qobject_cast<const QTableView*>(&view_);
    if (table == nullptr) return std::make_unique<TableText>(*view_.model());
    return std::make_unique<TableText>(*view_.model(), [table](int column) { return !table->isColumnHidden(column); });
  }
  void begin_anew() {
    if (text_) text_ = text_of_view();
  }
  void step() {
    if (!text_->add_rows(step_milliseconds)) return;
    next_.stop();
    QGuiApplication::clipboard()->setText(text_->text());
    text_.reset();
  }

  QAbstractItemView& view_;
  QTimer next_;
  std::unique_ptr<TableText> text_;  ///< null: nothing is being copied
};

}  // namespace

void add_copy_action(QAbstractItemView& view) {
  auto* copy = new QAction(QAbstractItemView::tr("Copy table"), &view);
  copy->setObjectName("copy-" + view.objectName());
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  auto* copying = new Copying(view);
  QObject::connect(copy, &QAction::triggered, copying, [copying] { copying->start(); });
  view.addAction(copy);
  view.setContextMenuPolicy(Qt::ActionsContextMenu);
}

}  // namespace convscope::ui
