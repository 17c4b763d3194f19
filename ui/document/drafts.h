#pragma once
// Schedules made by hand: the part of the document that keeps them, with undo, and what sessions store of them.

#include <QObject>
#include <QPointer>
#include <QUndoStack>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "core/base/diagnostic.h"
#include "ui/model/draft_store.h"

namespace convscope::ui {

class Drafts : public QObject, public DraftStore {
 public:
  using Pin = std::function<void(const schedule::DraftFile&)>;

  Drafts(QUndoStack& undo, Pin pin, QObject* parent);

  std::shared_ptr<const schedule::DraftFile> find(const DraftKey& key) const override;
  void edit(const DraftKey& key, schedule::DraftFile next, const QString& text) override;
  void on_change(QObject* context, std::function<void()> act) override;
  void pin(const schedule::DraftFile& draft) override { pin_(draft); }

  /// All drafts as text, for a session; empty if there is none.
  std::string record() const;
  /// Replaces all of them, without an undo step. What can't be read is left out, with a warning.
  void restore(const std::string& record, const std::string& file, Diagnostics& diagnostics);

 private:
  using File = std::shared_ptr<const schedule::DraftFile>;
  void take(const DraftKey& key, const File& file);
  void tell();

  QUndoStack& undo_;
  Pin pin_;
  std::map<DraftKey, File> drafts_;
  std::vector<std::pair<QPointer<QObject>, std::function<void()>>> listeners_;
};

/// Those of a host whose document has them; null if there are none.
Drafts* drafts_of(const ViewHost& host);

}  // namespace convscope::ui
