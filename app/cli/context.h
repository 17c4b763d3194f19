#pragma once
// What every command gets.

#include <memory>

#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "core/catalogue/catalogue.h"
#include "core/engine/executor.h"

namespace convscope::cli {

struct Context {
  explicit Context(catalogue::CataloguePointer known) : catalogue(std::move(known)) {}

  const catalogue::CataloguePointer catalogue;  ///< never null
  Console console;
  Interrupt interrupt;
  int threads = 0;  ///< 0: as many as there are
  bool progress = false;

  std::unique_ptr<engine::Executor> make_executor() const { return engine::make_tbb_executor(threads); }
};

}  // namespace convscope::cli
