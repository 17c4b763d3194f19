#include "core/snowflake/code/unrolled_code.h"

#include <algorithm>
#include <cstdlib>

#include "core/snowflake/code/block_writer.h"
#include "core/snowflake/code/load_code.h"

namespace convscope::snowflake {
namespace {

class UnrolledWriter {
 public:
  UnrolledWriter(const Block& block, const ComputeMachine& machine)
      : block_(block), machine_(machine), writer_(block, machine) {}

  std::vector<Atom> atoms() {
    for (int turn = 0; turn < block_.tiles; ++turn)
      for (int slot = 0; slot < block_.slots; ++slot) put_slot(turn, slot);
    return fits_ ? std::move(atoms_) : std::vector<Atom>{};
  }

 private:
  Code fresh() const { return Code(machine_.delay_slots); }

  void add(const Code& code) {
    if (static_cast<int>(code.size()) > atom_limit(machine_)) fits_ = false;
    atoms_.push_back(atom_of(code));
  }

  void put_slot(int turn, int slot) {
    const bool loading = slot == 0 && needs_loads(turn), first = loading && writer_.fillers_first();
    Code code = fresh();
    writer_.setup(code, turn, slot);
    if (block_.single && slot == 0) {
      set_kernel_pointers(code, tile_load(turn));
      writer_.own_loads(code);
    }
    add(code);
    if (first) put_loads(turn, true);
    code = fresh();
    writer_.slot_setup(code, slot);
    writer_.biases(code, true);
    add(code);
    const Parts parts = loading && !first ? cut(block_, machine_.queue) : Parts{block_.strips, {}};
    put_strips(parts.before, 0);
    if (loading && !first) put_loads(turn, false);
    put_strips(parts.after, static_cast<int>(parts.before.size()));
    put_late_loads();
  }

  bool needs_loads(int turn) const {
    const bool last = turn + 1 == block_.tiles;
    return (last ? block_.next.has_value() : block_.load_tiles) || (turn == 0 && !block_.map_loads.empty()) ||
           !block_.ring_loads.empty();
  }

  void put_late_loads() {
    if (block_.late_loads.empty()) return;
    Code code = fresh();
    writer_.late_fillers(code);
    add(code);
    for (const PlacedKernels& kernels : block_.late_loads) put_placed(kernels);
  }

  void put_placed(const PlacedKernels& kernels) {
    Code code = fresh();
    code.mark(CodeRange::Kind::loads);
    writer_.placed_loads(code, kernels);
    add(code);
  }

  KernelLoad tile_load(int turn) const {
    KernelLoad load = block_.tile_load;
    load.dram += turn * block_.tile_load_step;
    return load;
  }

  void put_loads(int turn, bool fillers) {
    Code code = fresh();
    code.mark(CodeRange::Kind::loads);
    if (fillers) put_fillers(code, machine_.queue);
    add(code);
    const bool last = turn + 1 == block_.tiles;
    if (last ? block_.next.has_value() : block_.load_tiles) put_kernel_loads_of(last ? *block_.next : tile_load(turn));
    for (const PlacedKernels& kernels : block_.ring_loads) put_placed(kernels);
    if (turn == 0) put_map_loads_of(block_.map_loads);
  }

  void put_kernel_loads_of(const KernelLoad& load) {
    Code code = fresh();
    code.mark(CodeRange::Kind::loads);
    set_kernel_pointers(code, load);
    writer_.kernel_loads(code, load, false);
    add(code);
  }

  void put_map_loads_of(const std::vector<MapLoad>& loads) {
    for (std::size_t i = 0; i < loads.size(); i += 3) {
      Code code = fresh();
      code.mark(CodeRange::Kind::loads);
      put_map_loads(code, {loads.begin() + static_cast<std::ptrdiff_t>(i),
                           loads.begin() + static_cast<std::ptrdiff_t>(std::min(i + 3, loads.size()))});
      add(code);
    }
  }

  void put_strips(const std::vector<Strip>& strips, int first_window) {
    for (std::size_t i = 0; i < strips.size(); ++i) put_strip_atoms(strips[i], first_window + static_cast<int>(i));
  }

  Code strip_code(const Strip& strip, int window) const {
    Code code = fresh();
    writer_.strips(code, {strip}, true, window);
    return code;
  }

  // A strip whose rows don't fit as a loop is taken apart.
  void put_strip_atoms(const Strip& strip, int window) {
    const Code code = strip_code(strip, window);
    if (static_cast<int>(code.size()) <= atom_limit(machine_)) return add(code);
    if (strip.rows == 1 && strip.columns.size() == 1) return add(code);
    for (int row = 0; row < strip.rows; ++row) {
      Strip part = rows_of(block_, strip, row, 1);
      for (const ColumnWindow& column : strip.columns) {
        part.columns = {column};
        put_column_atoms(part, window);
        part.out += column.outputs * block_.x_step.out;
        part.bypass += column.outputs * block_.x_step.bypass;
      }
    }
  }

  void put_column_atoms(const Strip& part, int window) { add(strip_code(part, window)); }

  const Block& block_;
  const ComputeMachine& machine_;
  BlockWriter writer_;
  std::vector<Atom> atoms_;
  bool fits_ = true;
};

}  // namespace

std::vector<Atom> unrolled_code(const Block& block, const ComputeMachine& machine) {
  return UnrolledWriter(block, machine).atoms();
}

}  // namespace convscope::snowflake
