#pragma once
// Schedules made by hand, as the document keeps them: what a view that edits one asks for.

#include <QString>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/schedule/draft/draft_file.h"
#include "ui/model/view_host.h"

namespace convscope::ui {

/// What a draft schedules. A machine whose loop is another problem has drafts of its own; those of the problem before
/// are there again when it returns.
struct DraftKey {
  std::string network, layer;
  int program = 0;
  std::uint64_t problem = 0;
  auto operator<=>(const DraftKey&) const = default;
};

class DraftStore {
 public:
  virtual ~DraftStore() = default;
  /// Null if none was begun.
  virtual std::shared_ptr<const schedule::DraftFile> find(const DraftKey& key) const = 0;
  /// One undo step; does nothing if the draft stays the same.
  virtual void edit(const DraftKey& key, schedule::DraftFile next, const QString& text) = 0;
  /// Pins the run that is shown as a baseline, with a complete draft's program in the place of the compiler's: one undo
  /// step. It is made in the background.
  virtual void pin(const schedule::DraftFile& draft) = 0;
  /// Calls `act` whenever a draft has changed, by an edit, undo or redo, as long as `context` is there.
  virtual void on_change(QObject* context, std::function<void()> act) = 0;
};

/// The drafts of a host with a document, which is their parent; null if it has none.
inline DraftStore* draft_store(const ViewHost& host) {
  for (QObject* child : host.children())
    if (auto* store = dynamic_cast<DraftStore*>(child)) return store;
  return nullptr;
}

}  // namespace convscope::ui
