#include "ui/document/program_texts.h"

#include <algorithm>
#include <optional>

#include <nlohmann/json.hpp>

#include "core/base/json_text.h"

namespace convscope::ui {
namespace {

using TextsJson = nlohmann::ordered_json;

constexpr JsonLimits texts_limits{std::size_t{64} << 20, 3, 100'000};

std::optional<std::string> text_member(const TextsJson& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

std::optional<std::pair<ProgramTextKey, std::string>> entry_of(const TextsJson& json) {
  if (!json.is_object()) return std::nullopt;
  const auto network = text_member(json, "network"), target = text_member(json, "target"),
             layer = text_member(json, "layer"), text = text_member(json, "text");
  const auto program = json.find("program");
  const bool numbered =
      program != json.end() && program->is_number_unsigned() && program->get<std::uint64_t>() < 1'000'000;
  if (!network || !target || !layer || !text || !numbered || text->size() > longest_program_text) return std::nullopt;
  return std::pair{ProgramTextKey{*network, *target, *layer, program->get<int>()}, *text};
}

}  // namespace

std::shared_ptr<const std::string> ProgramTexts::find(const ProgramTextKey& key) const {
  const auto found = texts_.find(key);
  return found == texts_.end() ? nullptr : found->second;
}

bool ProgramTexts::keep(const ProgramTextKey& key, std::string text) {
  const auto before = find(key);
  if (before && *before == text) return true;
  std::size_t bytes = text.size();
  for (const auto& [other, each] : texts_)
    if (other != key) bytes += each->size();
  if (text.size() > longest_program_text || bytes > most_program_texts) return false;
  texts_[key] = std::make_shared<const std::string>(std::move(text));
  tell();
  return true;
}

void ProgramTexts::forget(const ProgramTextKey& key) {
  if (texts_.erase(key) > 0) tell();
}

void ProgramTexts::on_change(QObject* context, std::function<void()> act) {
  listeners_.emplace_back(context, std::move(act));
}

void ProgramTexts::tell() {
  std::erase_if(listeners_, [](const auto& each) { return each.first.isNull(); });
  const auto listeners = listeners_;
  for (const auto& [context, act] : listeners)
    if (context) act();
}

std::string ProgramTexts::record() const {
  if (texts_.empty()) return {};
  TextsJson json = TextsJson::array();
  for (const auto& [key, text] : texts_)
    json.push_back({{"network", key.network},
                    {"target", key.target},
                    {"layer", key.layer},
                    {"program", key.program},
                    {"text", *text}});
  return json.dump(-1, ' ', true, TextsJson::error_handler_t::replace);
}

void ProgramTexts::restore(const std::string& record, const std::string& file, Diagnostics& diagnostics) {
  const bool had_some = !texts_.empty();
  texts_.clear();
  Diagnostics mistakes;
  TextsJson json = TextsJson::array();
  if (!record.empty() && check_json(record, file, texts_limits, "programs", mistakes))
    json = TextsJson::parse(record, nullptr, false);
  bool left_out = mistakes.has_errors() || !json.is_array();
  for (const TextsJson& each : json) {
    auto entry = entry_of(each);
    left_out |= !entry;
    if (entry) texts_[entry->first] = std::make_shared<const std::string>(std::move(entry->second));
  }
  if (left_out)
    diagnostics.warning({file, 0, "assembly"}, "assembly that was edited is left out", "as sessions hold it");
  if (had_some || !texts_.empty()) tell();
}

ProgramTexts* program_texts_of(const ViewHost& host) {
  return dynamic_cast<ProgramTexts*>(program_text_store(host));
}

}  // namespace convscope::ui
