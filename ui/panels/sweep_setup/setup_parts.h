#pragma once
// What the sweep's setup is put together from: small buttons, words about what is wrong, lines that can be removed.

#include <QLabel>
#include <QVBoxLayout>
#include <functional>
#include <vector>

#include "ui/model/view_host.h"

class QToolButton;

namespace convscope::ui {

QToolButton* add_tool_button(QLayout& row, const QString& name, const QString& text, QWidget* parent);
/// A cross, with words what it removes.
QToolButton* add_remove_button(QLayout& row, const QString& name, const QString& help, QWidget* parent);

/// What is wrong with the fields above it; not seen while nothing is.
class MessageLabel : public QLabel {
  Q_OBJECT
 public:
  MessageLabel(const ViewHost& host, const QString& name, QWidget* parent);

  /// Empty: nothing is wrong.
  void show_message(const QString& message);

 private:
  const ViewHost& host_;
};

/// Rows below each other, of which the user may remove any. A row tells by its signals `edited` and `removed`.
template <typename Row>
class RowList {
 public:
  /// To be put into another layout, which then owns it.
  QVBoxLayout* layout() const { return layout_; }

  /// Below all others; `edited` is called whenever the user changed or removed the row.
  void add(Row* row, std::function<void()> edited) {
    layout_->addWidget(row);
    rows_.push_back(row);
    QObject::connect(row, &Row::edited, row, edited);
    QObject::connect(row, &Row::removed, row, [this, row, edited] {
      std::erase(rows_, row);
      row->hide();
      row->deleteLater();
      edited();
    });
  }
  /// Nothing is told.
  void erase(Row* row) {
    std::erase(rows_, row);
    delete row;
  }
  void clear() {
    for (Row* row : rows_) delete row;
    rows_.clear();
  }

  std::size_t size() const { return rows_.size(); }
  Row& operator[](std::size_t index) const { return *rows_[index]; }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }

 private:
  QVBoxLayout* layout_ = new QVBoxLayout;
  std::vector<Row*> rows_;
};

}  // namespace convscope::ui
