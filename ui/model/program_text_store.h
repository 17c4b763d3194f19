#pragma once
// Assembly texts that somebody has changed, as the document keeps them: what a view that edits one asks for.

#include <compare>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "ui/model/view_host.h"

namespace convscope::ui {

/// Longest text that is edited, in bytes: some 25,000 lines. Of all that are kept: a session's file holds them, even if
/// they are nothing but signs that its format writes longer.
inline constexpr std::size_t longest_program_text = std::size_t{1} << 20, most_program_texts = std::size_t{2} << 20;

/// Which program a text is another version of.
struct ProgramTextKey {
  std::string network, target, layer;  ///< layer: empty for a program of the whole network
  int program = 0;
  auto operator<=>(const ProgramTextKey&) const = default;
};

class ProgramTextStore {
 public:
  virtual ~ProgramTextStore() = default;
  /// Null if nobody has changed the program's text.
  virtual std::shared_ptr<const std::string> find(const ProgramTextKey& key) const = 0;
  /// False if there is no room for it beside the others: what was kept of it before stays.
  virtual bool keep(const ProgramTextKey& key, std::string text) = 0;
  /// It is the compiler's again.
  virtual void forget(const ProgramTextKey& key) = 0;
  /// Calls `act` whenever a text has changed, as long as `context` is there.
  virtual void on_change(QObject* context, std::function<void()> act) = 0;
};

/// The texts of a host with a document, which is their parent; null if it has none.
inline ProgramTextStore* program_text_store(const ViewHost& host) {
  for (QObject* child : host.children())
    if (auto* store = dynamic_cast<ProgramTextStore*>(child)) return store;
  return nullptr;
}

}  // namespace convscope::ui
