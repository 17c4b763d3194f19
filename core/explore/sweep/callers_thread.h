#pragma once
// An executor without threads: where many compilations run side by side, each runs on one.

#include "core/engine/executor.h"

namespace convscope::explore {

class CallersThread : public engine::Executor {
 public:
  void post(std::function<void()> task) override { task(); }
  void parallel_for(int count, const std::function<void(int)>& body) override {
    for (int i = 0; i < count; ++i) body(i);
  }
  int concurrency() const override { return 1; }
};

}  // namespace convscope::explore
