// Programs of ours that our own verifier refuses are told apart from layers that can't be mapped.

#include "core/engine/faults.h"

#include <gtest/gtest.h>

#include "tests/core/engine/counting_target.h"

namespace convscope::engine::test {
namespace {

TEST(Faults, AreListedWithTheirLayer) {
  const auto target = std::make_shared<CountingTarget>();
  target->unmapped = {0};
  target->faulty_layer = 2;
  const auto executor = make_thread_executor(2);
  const auto cache = make_memory_cache();
  const CompiledNetwork compiled = compile(request_for(target, 3), *executor, *cache);
  const std::vector<Fault> found = faults(compiled);
  ASSERT_EQ(found.size(), 1u) << "what can't be mapped is no fault";
  EXPECT_EQ(found.front().text(), "layer 'L3': a made-up verifier refuses it");
  EXPECT_EQ(compiled.layers[2]->reason(), "internal error: a made-up verifier refuses it");
  EXPECT_EQ(target::fault_reason(""), "");
}

}  // namespace
}  // namespace convscope::engine::test
