#pragma once
// Which stage each operation belongs to once the rows of a pipelined schedule stand.

#include "core/schedule/problem/compact.h"
#include "core/schedule/problem/problem.h"

namespace convscope::schedule {

/// The schedule with the same row for every operation that begins in stage 0 and has the fewest stages: longest paths
/// in whole intervals. Exact for these rows. Precondition: dependences within strongly connected components hold; those
/// between them need not, as moving a component by whole intervals can always meet them.
Schedule with_fewest_stages(const Graph& graph, const Schedule& schedule);

/// Stages that one iteration touches.
std::int64_t stages_of(const Schedule& schedule);

}  // namespace convscope::schedule
