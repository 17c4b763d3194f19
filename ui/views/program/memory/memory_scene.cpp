#include <QStringList>
#include <algorithm>
#include <sstream>

#include "ui/parts/drawing.h"
#include "ui/views/program/memory/memory_painter.h"

namespace convscope::ui {

MemoryScene::MemoryScene(std::shared_ptr<const artifact::MemoryMap> map, std::shared_ptr<const artifact::Links> links,
                         artifact::Ref subject, std::shared_ptr<const artifact::TaskGraph> graph,
                         std::int64_t run_length)
    : map_(std::move(map)),
      operations_(std::move(graph)),
      links_(std::move(links)),
      subject_(subject),
      cycles_(std::max<std::int64_t>(1, run_length)) {
  for (std::size_t m = 0; m < map_->memories.size(); ++m) {
    const artifact::Memory& memory = map_->memories[m];
    if (!memory.blocks.empty()) mapped_.push_back(static_cast<int>(m));
    for (const artifact::MemoryBlock& block : memory.blocks) cycles_ = std::max(cycles_, block.live_to);
  }
  if (links_) {
    for (const artifact::OperationPlace& place : links_->places())
      for (const artifact::MemoryWord& word : place.words) data_.insert(word.memory);
  } else if (!mapped_.empty()) {
    data_.insert(mapped_.front());
  }
}

const artifact::MemoryBlock* MemoryScene::block(int memory, std::int64_t word, std::int64_t cycle) const {
  const artifact::MemoryBlock* found = nullptr;
  for (const artifact::MemoryBlock& block : map_->memories[static_cast<std::size_t>(memory)].blocks) {
    const bool holds = word >= block.first_word && word < block.first_word + std::max<std::int64_t>(1, block.words) &&
                       cycle >= block.live_from && cycle < std::max(block.live_to, block.live_from + 1);
    if (holds && (!found || block.live_to - block.live_from < found->live_to - found->live_from)) found = &block;
  }
  return found;
}

std::vector<artifact::MemoryWord> MemoryScene::words_of(artifact::OperationKey operation) const {
  const artifact::OperationPlace* place = links_ && operation != 0 ? links_->find(operation) : nullptr;
  return place ? place->words : std::vector<artifact::MemoryWord>();
}

QString MemoryScene::users_of(artifact::MemoryWord word) const {
  constexpr qsizetype shown = 6;
  QStringList names;
  if (links_) {
    for (const artifact::OperationKey key : links_->at_word(word))
      if (const auto* operation = operations_.operation(key)) names << to_text(operation->label);
  }
  if (names.isEmpty()) return {};
  QString text = QStringLiteral("read or written by ") + names.mid(0, shown).join(QStringLiteral(", "));
  if (names.size() > shown) text += QStringLiteral(" and %1 more").arg(names.size() - shown);
  return text;
}

std::vector<artifact::OperationClass> MemoryScene::kinds() const {
  std::vector<artifact::OperationClass> found;
  for (const artifact::OperationClass kind : artifact::operation_classes) {
    const bool held = std::any_of(map_->memories.begin(), map_->memories.end(), [&](const artifact::Memory& memory) {
      return std::any_of(memory.blocks.begin(), memory.blocks.end(), [&](const auto& b) { return b.kind == kind; });
    });
    if (held) found.push_back(kind);
  }
  return found;
}

std::string MemoryScene::csv() const {
  std::ostringstream out;
  out << "memory,capacity,used,word_bits,block,kind,first_word,words,live_from,live_to\n";
  for (const artifact::Memory& memory : map_->memories) {
    std::ostringstream head;
    head << csv_field(memory.name) << ',' << memory.capacity << ',' << memory.used << ',' << memory.word_bits << ',';
    if (memory.blocks.empty()) out << head.str() << ",,,,,\n";
    for (const artifact::MemoryBlock& block : memory.blocks) {
      out << head.str() << csv_field(block.name) << ',' << artifact::operation_class_name(block.kind) << ','
          << block.first_word << ',' << block.words << ',' << block.live_from << ',' << block.live_to << '\n';
    }
  }
  return out.str();
}

}  // namespace convscope::ui
