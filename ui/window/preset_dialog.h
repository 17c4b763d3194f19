#pragma once
// Asks for name, description and place of a preset that is to be saved.

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;

namespace convscope::target {
class Target;
}

namespace convscope::ui {

class PresetDialog : public QDialog {
  Q_OBJECT
 public:
  /// Names of presets that come with the target are not taken.
  PresetDialog(const target::Target& target, const QString& suggestion, QWidget* parent = nullptr);

  QString name() const;
  QString description() const;
  /// File to write: in the user's presets, or the one that was chosen.
  QString path() const;

 private:
  void choose_file();
  void refresh();

  const target::Target& target_;
  QLineEdit* name_;
  QLineEdit* description_;
  QLabel* place_;
  QPushButton* save_ = nullptr;
  QString chosen_;  ///< empty: in the user's presets
};

}  // namespace convscope::ui
