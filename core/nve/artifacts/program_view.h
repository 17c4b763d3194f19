#pragma once
// Artifacts of one program: what views show of it.

#include <memory>
#include <string>
#include <vector>

#include "core/artifact/links.h"
#include "core/artifact/listing.h"
#include "core/artifact/memory_map.h"
#include "core/artifact/task_graph.h"
#include "core/artifact/timeline.h"
#include "core/nve/passes/fuse_maps.h"
#include "core/nve/passes/schedule_structure.h"

namespace convscope::nve {

/// A program with everything its artifacts are made from.
struct ProgramView {
  const StructureProgram& scheduled;
  const MapGroup& group;
  const Program& program;  ///< bound
};

/// Place of the local buffer in the memory map.
inline constexpr int local_buffer_memory = 0;

/// Stable identity: from output map, kind, coefficient ordinal, input map, column and word; not from the schedule.
artifact::OperationKey operation_key(const LoopOperation& operation, const MapGroup& group);
/// Identity of the write that an instruction before the first iteration executes.
artifact::OperationKey initial_write_key(const StreamWord& item, const MapGroup& group);

/// Compact text for a cell: "rd s3.0 w1" is word 1 of input map 3's kernel column 0, "c5.2" coefficient word 2 of
/// map 5. Of looped programs, "rd u1 w0" is word 0 of a pass's unit 1, "c3" its ordered word 3, "b0" a word that stays.
std::string operation_label(const LoopOperation& operation, const MapGroup& group);
std::string initial_write_label(const StreamWord& item, const ProgramView& view);
artifact::OperationClass operation_class(LoopOperationKind kind);

/// The machine's issue fields, in listing order: the resources of task graph and timeline.
class IssueFields {
 public:
  explicit IssueFields(const Machine& machine);
  std::vector<std::string> names() const;
  int index(Field field) const;
  Field at(int index) const { return fields_[static_cast<std::size_t>(index)]; }
  int count() const { return static_cast<int>(fields_.size()); }

 private:
  std::vector<Field> fields_;
};

std::shared_ptr<const artifact::TaskGraph> make_task_graph(const ProgramView& view);
std::shared_ptr<const artifact::Timeline> make_timeline(const ProgramView& view);
std::shared_ptr<const artifact::Listing> make_listing(const ProgramView& view);
std::shared_ptr<const artifact::MemoryMap> make_memory_map(const ProgramView& view);
std::shared_ptr<const artifact::Links> make_links(const ProgramView& view);

}  // namespace convscope::nve
