#include "ui/document/drafts.h"

#include <algorithm>
#include <utility>

#include "ui/document/undo/value_edit.h"

namespace convscope::ui {
namespace {

// Between drafts in a session's text; no draft file holds it, as JSON's texts have no line ends.
constexpr std::string_view draft_separator = "---\n";

DraftKey key_of(const schedule::DraftFile& file) {
  return {file.origin.network, file.origin.layer, file.origin.program, file.problem_hash.value_or(0)};
}

}  // namespace

Drafts::Drafts(QUndoStack& undo, Pin pin, QObject* parent) : QObject(parent), undo_(undo), pin_(std::move(pin)) {}

std::shared_ptr<const schedule::DraftFile> Drafts::find(const DraftKey& key) const {
  const auto found = drafts_.find(key);
  return found == drafts_.end() ? nullptr : found->second;
}

void Drafts::edit(const DraftKey& key, schedule::DraftFile next, const QString& text) {
  const File before = find(key);
  if (before && *before == next) return;
  File after = std::make_shared<const schedule::DraftFile>(std::move(next));
  undo_.push(new ValueEdit<File>(text, before, std::move(after), [this, key](const File& to) { take(key, to); }));
}

void Drafts::on_change(QObject* context, std::function<void()> act) {
  listeners_.emplace_back(context, std::move(act));
}

void Drafts::take(const DraftKey& key, const File& file) {
  if (file) {
    drafts_[key] = file;
  } else {
    drafts_.erase(key);
  }
  tell();
}

void Drafts::tell() {
  std::erase_if(listeners_, [](const auto& each) { return each.first.isNull(); });
  const auto listeners = listeners_;
  for (const auto& [context, act] : listeners)
    if (context) act();
}

std::string Drafts::record() const {
  std::string text;
  for (const auto& [key, file] : drafts_) {
    if (!text.empty()) text += draft_separator;
    text += schedule::write_draft_file(*file);
  }
  return text;
}

void Drafts::restore(const std::string& record, const std::string& file, Diagnostics& diagnostics) {
  drafts_.clear();
  for (std::size_t begin = 0; begin < record.size();) {
    const std::size_t end = std::min(record.find(draft_separator, begin), record.size());
    Diagnostics mistakes;
    auto read = schedule::read_draft_file(record.substr(begin, end - begin), file, mistakes);
    if (read) {
      const DraftKey key = key_of(*read);
      drafts_[key] = std::make_shared<const schedule::DraftFile>(std::move(*read));
    } else {
      diagnostics.warning({file, 0, "drafts"}, "a schedule made by hand is left out: " + mistakes.items().front().what);
    }
    begin = end + draft_separator.size();
  }
  tell();
}

Drafts* drafts_of(const ViewHost& host) {
  return dynamic_cast<Drafts*>(draft_store(host));
}

}  // namespace convscope::ui
