#include <cstdio>

#include "core/cpu/run/child.h"

int main(int count, char** arguments) {
  if (count == 2) return convscope::cpu::run_as_child(arguments[1]);
  std::fputs("convscope-run-generated is started by convscope and convscope-cli when they measure.\n", stderr);
  return 2;
}
