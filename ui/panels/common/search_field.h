#pragma once
// Where one types what layers to see.

#include <QLineEdit>

namespace convscope::ui {

/// Escape clears.
class SearchField : public QLineEdit {
  Q_OBJECT
 public:
  SearchField(const QString& name, QWidget* parent);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
};

}  // namespace convscope::ui
