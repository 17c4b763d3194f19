#pragma once
// What the NMP is made of, as blocks of a state. TLTs have a row each, in the order of Program::data.

#include <cstdint>
#include <vector>

#include "core/artifact/state.h"
#include "core/nmp/architecture/program.h"
#include "core/nmp/trace/trace_run.h"

namespace convscope::nmp {

class TraceBlocks {
 public:
  /// A map of a layer, as it lies in DRAM.
  struct Image {
    MapsPlace place;
    int map = 0, element_bytes = 2;
    bool stored = false;  ///< by the program; else it is there from the start
    std::int64_t byte_of(std::int64_t element) const {
      return place.first_byte + map * place.map_pitch + element / place.columns * place.row_pitch +
             element % place.columns * element_bytes;
    }
  };
  /// The first bytes of a region, as many as are shown.
  struct ShownRegion {
    std::int64_t first_byte = 0, bytes = 0;
  };

  explicit TraceBlocks(const Program& program);

  artifact::StateSchema schema;
  // Blocks by their position in the schema; -1: there is none.
  int counters = -1, semaphores = -1, registers = -1, configuration = -1, dma_queues = -1, mac_queues = -1,
      data_rams = -1, open_rows = -1, first_memory = -1, first_owners = -1, first_region = -1, first_image = -1;
  std::vector<ShownRegion> regions;
  std::vector<Image> images;
  // Units: cores and MAC units by TLT, DMAs by TLE, the DRAM, the ring (-1: there is none).
  int first_mac_unit = 0, first_dma = 0, dram_unit = 0, ring_unit = -1;

  int memory(int tle, Memory which) const {
    return first_memory + tle * TraceRun::buffers + static_cast<int>(which) - 1;
  }
  int owners(int tle, Memory which) const {
    return first_owners + tle * TraceRun::buffers + static_cast<int>(which) - 1;
  }
  std::int64_t columns(int block) const { return schema.blocks[static_cast<std::size_t>(block)].columns; }

 private:
  int add(artifact::StateBlock block);
  void add_units(const Program& program);
  void add_cores(const Program& program);
  void add_memories(const Program& program);
  void add_dram(const Program& program);
  void add_images(const Program& program);
  void add_image(const Program& program, const ProgramLayer& layer, const MapsPlace& place, const char* what);
};

}  // namespace convscope::nmp
