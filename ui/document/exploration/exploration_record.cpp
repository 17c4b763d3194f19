#include "ui/document/exploration/exploration_record.h"

#include <QFileInfo>
#include <QStringList>

#include "core/session/network_reference.h"
#include "ui/document/exploration/exploration.h"
#include "ui/document/exploration/look_text.h"
#include "ui/document/exploration/wish_text.h"

namespace convscope::ui {
namespace {

using Record = std::map<std::string, std::string>;

constexpr const char *space_key = "explore-space", *space_file_key = "explore-space-file",
                     *strategy_key = "explore-strategy", *results_key = "explore-results", *look_key = "explore-look",
                     *wish_key = "quantization", *images_key = "quantization-images";

std::string text_of(const explore::StrategyOptions& strategy) {
  return QStringLiteral("%1 %2 %3")
      .arg(static_cast<int>(strategy.kind))
      .arg(strategy.budget)
      .arg(strategy.seed)
      .toStdString();
}

explore::StrategyOptions read_strategy(const std::string& text) {
  const QStringList words = QString::fromStdString(text).split(' ');
  explore::StrategyOptions strategy;
  const int kind = words.value(0).toInt();
  if (words.size() != 3 || kind < 0 || kind > static_cast<int>(explore::StrategyKind::refine)) return strategy;
  strategy.kind = static_cast<explore::StrategyKind>(kind);
  strategy.budget = words.value(1).toULongLong();
  strategy.seed = words.value(2).toULongLong();
  return strategy;
}

std::string value(const Record& record, const char* key) {
  const auto found = record.find(key);
  return found == record.end() ? std::string() : found->second;
}

std::string beside(const QString& session_file, const std::string& path) {
  return path.empty() ? path : session::path_beside(session_file.toStdString(), path);
}

}  // namespace

Record exploration_work(const Exploration& exploration) {
  Record record;
  const SweepSetup& setup = exploration.setup();
  const QString& space = exploration.named_space();
  if (!space.isEmpty()) {
    record[space_file_key] = space.toStdString();
  } else if (setup.is_saved()) {
    record[space_file_key] = setup.file.toStdString();
  } else if (!setup.empty()) {
    record[space_key] = explore::write_draft(explore::moved(setup.draft, setup.folder(), {})).xml;
  }
  if (!setup.empty() || !space.isEmpty()) record[strategy_key] = text_of(setup.strategy);
  const QString& named = exploration.named_results();
  const QString results = named.isEmpty() ? exploration.results_file() : named;
  if (!results.isEmpty()) record[results_key] = QFileInfo(results).absoluteFilePath().toStdString();
  const QuantizationWish& wish = exploration.state()->quantization_wish;
  if (wish != QuantizationWish{}) record[wish_key] = wish_text(wish);
  if (!wish.images.path.empty())
    record[images_key] = QFileInfo(QString::fromStdString(wish.images.path)).absoluteFilePath().toStdString();
  return record;
}

Record exploration_record(const Exploration& exploration) {
  Record record = exploration_work(exploration);
  if (exploration.state()->look != SweepLook{}) record[look_key] = look_text(exploration.state()->look);
  return record;
}

void refer_from(const std::string& folder, Record& record) {
  for (const char* key : {space_file_key, results_key, images_key}) {
    const auto found = record.find(key);
    if (found != record.end()) found->second = session::path_from(folder, found->second);
  }
}

void restore_exploration(Exploration& exploration, const Record& record, const QString& session_file) {
  exploration.clear();
  SweepSetup setup;
  Diagnostics refused;  // the text is of this program; whatever is wrong with it, the setup says once it is shown
  if (const auto draft = explore::read_draft(value(record, space_key), session_file.toStdString(), refused)) {
    setup.draft = *draft;
  }
  setup.strategy = read_strategy(value(record, strategy_key));
  const auto results = QString::fromStdString(beside(session_file, value(record, results_key)));
  setup.results = results;
  exploration.set_setup(setup);
  exploration.set_look(read_look(value(record, look_key)));
  QuantizationWish wish = read_wish(value(record, wish_key));
  wish.images.path = beside(session_file, value(record, images_key));
  exploration.restore_quantization_wish(wish);
  const auto space = QString::fromStdString(beside(session_file, value(record, space_file_key)));
  exploration.open_named(space, results);
}

}  // namespace convscope::ui
