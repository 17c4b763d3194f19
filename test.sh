#!/usr/bin/env bash
# Installs what is missing, builds, and runs every check.   ./test.sh [--full]
#   format      clang-format over all sources
#   GCC         optimized build with assertions and warnings as errors, all tests (they run last)
#   Clang       AddressSanitizer and UndefinedBehaviorSanitizer over core, a short run of each fuzzer
#   threads     ThreadSanitizer over the engine
#   clang-tidy  on what changed
# --full adds the build of the benchmarks, the window under the sanitizers, clang-tidy on everything, longer fuzzing, more
# random programs, trained networks on a hundred inputs, packages that are installed in a bare Debian, and a sweep on a
# cluster of one machine.
set -euo pipefail

full=no
case "${1:-}" in
  "") ;;
  --full) full=yes ;;
  *) echo "usage: ./test.sh [--full]" >&2; exit 2 ;;
esac

# Clang 14's sanitizers fail at random under a wide address space randomization: off, where that is allowed.
if [ -z "${CONVSCOPE_STEADY:-}" ] && setarch -R true 2>/dev/null; then
  CONVSCOPE_STEADY=1 exec setarch -R "$0" "$@"
fi

root="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cd "$root"
scripts/setup.sh run more test
if [ "$full" = yes ]; then scripts/setup.sh package full; fi
source scripts/environment.sh
source scripts/checks.sh
if [ "$full" = yes ]; then export CONVSCOPE_FULL=1; fi  # tests that take a sample take more

step "clang-format" check_format
step "GCC: build" build dev
step "Clang, ASan and UBSan: build" build asan core_tests
step "Clang, ASan and UBSan: tests and fuzzers" check_sanitized
step "ThreadSanitizer: build" build tsan test_engine
step "ThreadSanitizer: engine" check_threads
step "clang-tidy" check_tidy
if [ "$full" = yes ]; then
  step "Benchmarks: build" build_benchmarks
  step "Clang, ASan and UBSan: longer fuzzing" check_fuzzers_longer
  step "Window, ASan and UBSan: build" build asan-ui
  step "Window, ASan and UBSan: tests" check_sanitized_window
  step "Packages: made, installed and removed" check_packages_installed
  step "Slurm: a job array" check_cluster
fi
step "GCC: all tests" check_all

echo "$summary"
