#pragma once
// Hears what a cycle reads and writes, and keeps where the pixels of the image register come from.

#include <array>
#include <vector>

#include "core/nve/simulate/observer.h"
#include "core/nve/trace/trace_blocks.h"

namespace convscope::nve {

/// The word that a pixel of the image register was loaded from.
struct PixelOrigin {
  std::int64_t number = -1;  ///< of the words that the host supplied; -1: none
  int byte = 0;
};

class TraceObserver {
 public:
  TraceObserver(const TraceBlocks& blocks, const RegisterLayout& layout, int word_bytes)
      : origins(static_cast<std::size_t>(layout.register_pixels())),
        blocks_(blocks),
        layout_(layout),
        word_bytes_(word_bytes) {}

  std::vector<artifact::StateAccess> accesses;  ///< of the cycle
  std::vector<PixelOrigin> origins;             ///< by pixel of the image register
  /// The last ACT of the cycle; `column` -1: none.
  OutputWord given;
  std::int64_t column = -1;

  void arrived(Field port) { whole(AccessKind::write, port_block(port)); }
  void address_generated(int instruction, Field field) {
    for (std::size_t i = 0; i < blocks_.memory_fields.size(); ++i)
      if (blocks_.memory_fields[i] == field)
        add(AccessKind::write, blocks_.agu,
            instruction * static_cast<std::int64_t>(blocks_.memory_fields.size()) + static_cast<std::int64_t>(i), 1);
  }
  void buffer_written(std::int64_t address) {
    add(AccessKind::write, blocks_.buffer, address * word_bytes_, word_bytes_);
  }
  void buffer_read(Field /*port*/, std::int64_t address) {
    add(AccessKind::read, blocks_.buffer, address * word_bytes_, word_bytes_);
  }
  void port_taken(Field port) { whole(AccessKind::read, port_block(port)); }
  void weights_set() { whole(AccessKind::write, blocks_.weights); }
  void weights_shifted() { whole(AccessKind::write, blocks_.weights); }
  void image_set(int group, const simulation::BufferWord& a, const simulation::BufferWord& b);
  void image_shifted(const simulation::BufferWord* extension);
  void multiplied(int vector);
  void bias_set(int vector);
  void output_visible() { whole(AccessKind::write, blocks_.output); }
  void activated(const OutputWord& item, std::int64_t column);

 private:
  using AccessKind = artifact::AccessKind;
  int port_block(Field port) const { return port == Field::mema ? blocks_.port_a : blocks_.port_b; }
  void add(AccessKind kind, int block, std::int64_t first, std::int64_t count) {
    accesses.push_back({block, kind, first, count});
  }
  void whole(AccessKind kind, int block) {
    add(kind, block, 0, blocks_.schema.blocks[static_cast<std::size_t>(block)].size());
  }
  void accumulators(int vector);
  void load(int word, const simulation::BufferWord& from, int count);

  const TraceBlocks& blocks_;
  RegisterLayout layout_;
  int word_bytes_;
};

}  // namespace convscope::nve
