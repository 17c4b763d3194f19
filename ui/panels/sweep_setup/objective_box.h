#pragma once
// What machines are compared by, and how much of the networks they must map.

#include <QGroupBox>
#include <map>
#include <string>
#include <vector>

#include "core/explore/space/space_draft.h"

class QCheckBox;
class QLineEdit;

namespace convscope::ui {

class ObjectiveBox : public QGroupBox {
  Q_OBJECT
 public:
  explicit ObjectiveBox(QWidget* parent);

  void show_draft(const explore::SpaceDraft& draft);
  void fill(explore::SpaceDraft& draft) const;

 signals:
  void edited();

 private:
  std::map<std::string, QCheckBox*> boxes_;
  std::vector<explore::DraftObjective> as_read_;  ///< for their order, and what is to be best of them
  QLineEdit* coverage_ = nullptr;
};

}  // namespace convscope::ui
