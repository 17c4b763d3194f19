#include <sstream>

#include "ui/parts/drawing.h"
#include "ui/views/layer/tiling/tiling_scene.h"

namespace convscope::ui {
namespace {

void write(std::ostream& out, std::int64_t step, const artifact::TileTransfer& transfer) {
  out << step << ',' << move_name(transfer.move) << ',' << artifact::tile_tensor_name(transfer.box.tensor) << ','
      << transfer.group << ',';
  if (transfer.worker < 0) {
    out << "all";
  } else {
    out << transfer.worker;
  }
  for (const std::int64_t begin : transfer.box.begin) out << ',' << begin;
  for (const std::int64_t size : transfer.box.size) out << ',' << size;
  out << ',' << transfer.bytes << ',' << transfer.bursts << '\n';
}

}  // namespace

std::string TilingScene::csv() const {
  std::ostringstream out;
  out << "step,move,tensor,group,worker,begin_0,begin_1,begin_2,size_0,size_1,size_2,bytes,bursts\n";
  std::int64_t written = 0, step = 0;
  for (; step < plan().steps() && step < csv_steps && written < csv_transfers; ++step) {
    for (const artifact::TileTransfer& transfer : plan().step(step).transfers) {
      write(out, step, transfer);
      ++written;
    }
  }
  if (step < plan().steps()) {
    out << step << ",cut here: " << plan().steps() << " steps in all"
        << ",,,,,,,,,,,\n";
  }
  return out.str();
}

}  // namespace convscope::ui
