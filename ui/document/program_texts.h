#pragma once
// Assembly texts that somebody has changed: what sessions store of them. Undo is the editor's.

#include <QObject>
#include <QPointer>
#include <map>
#include <utility>
#include <vector>

#include "core/base/diagnostic.h"
#include "ui/model/program_text_store.h"

namespace convscope::ui {

class ProgramTexts : public QObject, public ProgramTextStore {
 public:
  explicit ProgramTexts(QObject* parent) : QObject(parent) {}

  std::shared_ptr<const std::string> find(const ProgramTextKey& key) const override;
  bool keep(const ProgramTextKey& key, std::string text) override;
  void forget(const ProgramTextKey& key) override;
  void on_change(QObject* context, std::function<void()> act) override;

  /// All texts as JSON, for a session; empty if there is none.
  std::string record() const;
  /// Replaces all of them. What can't be read is left out, with a warning.
  void restore(const std::string& record, const std::string& file, Diagnostics& diagnostics);

 private:
  void tell();

  std::map<ProgramTextKey, std::shared_ptr<const std::string>> texts_;
  std::vector<std::pair<QPointer<QObject>, std::function<void()>>> listeners_;
};

/// Those of a host whose document has them; null if there are none.
ProgramTexts* program_texts_of(const ViewHost& host);

}  // namespace convscope::ui
