#pragma once
// What machines are compared by, and how much of the networks they must map.

#include <QGroupBox>
#include <map>
#include <string>
#include <vector>

#include "core/explore/space/objective.h"
#include "core/explore/space/space_draft.h"

class QCheckBox;
class QGridLayout;
class QLabel;
class QLineEdit;

namespace convscope::ui {

class ObjectiveBox : public QGroupBox {
  Q_OBJECT
 public:
  explicit ObjectiveBox(QWidget* parent);

  /// Objectives of the targets that are chosen: what is checked of them stays checked.
  void offer(const std::vector<artifact::FigureDescription>& objectives);
  void show_draft(const explore::SpaceDraft& draft);
  void fill(explore::SpaceDraft& draft) const;

 signals:
  void edited();

 private:
  QCheckBox* make_box(const artifact::FigureDescription& objective);
  bool offers(const std::vector<artifact::FigureDescription>& objectives) const;

  std::vector<artifact::FigureDescription> offered_;
  std::map<std::string, QCheckBox*> boxes_;
  std::vector<explore::DraftObjective> as_read_;  ///< for their order, and what is to be best of them
  QGridLayout* grid_ = nullptr;
  QLabel* label_ = nullptr;
  QLineEdit* coverage_ = nullptr;
};

}  // namespace convscope::ui
