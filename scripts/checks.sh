# Sourced by test.sh: one function for each check, run from the root; $full is yes or no.

jobs=$(nproc)
export QT_QPA_PLATFORM=offscreen
export ASAN_OPTIONS="detect_stack_use_after_return=1:strict_string_checks=1"
export UBSAN_OPTIONS="print_stacktrace=1"

# step TITLE COMMAND…: says what is being done and how long it took.
step() {
  local title=$1 begin=$SECONDS
  shift
  echo "== $title"
  "$@"
  echo "== $title: $((SECONDS - begin)) s"
}

# build PRESET [TARGET…]
build() {
  local preset=$1
  shift
  configure "$preset"
  cmake --build "build/$preset" -- --quiet "$@"
}

# The benchmarks still compile; nothing is timed.
build_benchmarks() {
  cmake -S . --preset dev -DCONVSCOPE_BENCH=ON >/dev/null
  cmake --build build/dev -- --quiet convscope_bench convscope_bench_window convscope_bench_cpu
}

sources() { find core ui app tests bench -name '*.h' -o -name '*.cpp'; }

check_format() { sources | xargs -P "$jobs" -n 20 clang-format-14 --dry-run --Werror; }

# Of core: half a minute or more each under the sanitizers. Without --full those don't run there, but optimized, and all
# others of core run there alone; with it all run both ways.
long_tests='^(SnowflakeFigures\.|TsoCalibration\.|GenvolutionFigures\.|Figures\.AllThat|NveFigures\.EveryListed'
long_tests+='|DataSets\.TheReferenceAgrees|DataSets/LightNetwork.*(resnet50|alexnet)|Thesis/Sample\..*speed_sign'
long_tests+='|Paper/SnowflakeBest\.|EveryConvolution\.HasAMapping|Machines\.AnyCombination|RandomLayers\.OtherMachines'
long_tests+='|Prefetch\.RandomChains|PoolTurns\.RandomPairs'
# Their time goes into compilers and emulators, which nobody instruments.
long_tests+='|.*FlyteFunctions.*\.EveryValue|CpuWinograd/PartialTiles\.|All/ArmPrograms\.|Cpu/EachFamily\..*/neon|Cpu/Rows\.'
long_tests+='|NveExplanation\.OfALayerThatIsTooLarge|MachineFigures\.|Portfolio\.|Search\.Equals|Real/Models.*16-byte)'
# These try less under the sanitizers, or nothing: they run both ways.
fewer_sanitized='^(Samples/EverySample\.|Models\.OpenAnd|RandomLayers\.|Layouts\.Random|Samples/WideNetwork\.|Looped\.'
fewer_sanitized+='|TrainedNetworks\..*OnSeededInputs)'

check_sanitized() {
  local left_out=$long_tests
  [ "$full" = no ] || left_out='^$'
  ctest --test-dir build/asan -j "$jobs" --output-on-failure --progress -L 'core|fuzz' -E "$left_out" --no-tests=error
}

# Each fuzzer for two minutes, from the kept corpus; what it finds stays in build/asan/found.
check_fuzzers_longer() {
  local fuzzer name found
  for fuzzer in build/asan/bin/fuzz_*; do
    name=$(basename "$fuzzer")
    found=build/asan/found/$name
    mkdir -p "$found"
    echo "$name"
    "$fuzzer" -max_total_time=120 -timeout=5 -rss_limit_mb=2048 -verbosity=0 -artifact_prefix="$found/" \
      "$found" "tests/fuzz/corpus/${name#fuzz_}"
  done
}

check_threads() {
  TSAN_OPTIONS=halt_on_error=1 build/tsan/bin/test_engine --gtest_brief=1
}

check_sanitized_window() {
  LSAN_OPTIONS="suppressions=$root/scripts/lsan-suppressions.txt:print_suppressions=0" \
    ctest --test-dir build/asan-ui -j "$jobs" --output-on-failure --progress -L 'ui|app' --no-tests=error
}

# Sources that differ from the commit that the branch left its upstream at, or else from the commit before.
changed_sources() {
  local git=(git -c safe.directory='*') base
  base=$("${git[@]}" merge-base HEAD origin/HEAD 2>/dev/null || true)
  if [ -z "$base" ] || [ "$base" = "$("${git[@]}" rev-parse HEAD)" ]; then
    base=$("${git[@]}" rev-parse --verify -q HEAD~1 || true)
  fi
  [ -z "$base" ] || "${git[@]}" diff --name-only --diff-filter=d "$base" -- 'core/*.cpp' 'app/*.cpp' 'ui/*.cpp'
}

# A file takes seconds: without --full, only as many as fit in about a minute. It wants each file's own command, so a build
# that compiles file by file is configured for it; they are GCC's: some names of its warnings are unknown to Clang.
check_tidy() {
  local limit=8 files
  cmake -S . --preset dev -B build/tidy -DCONVSCOPE_TOGETHER=OFF >/dev/null 2>&1
  cmake --build build/tidy -- --quiet core/readers/generated/tflite/model_generated.h
  if [ "$full" = yes ]; then
    mapfile -t files < <(find core app ui -name '*.cpp' | sort)
  else
    mapfile -t files < <(changed_sources)
    if [ ${#files[@]} -gt $limit ]; then
      echo "clang-tidy: $limit of ${#files[@]} changed files; --full looks at all"
      files=("${files[@]:0:$limit}")
    fi
  fi
  [ ${#files[@]} -eq 0 ] || printf '%s\n' "${files[@]}" |
    xargs -P "$jobs" -n 1 clang-tidy-14 -p build/tidy --quiet --extra-arg=-Wno-unknown-warning-option
}

# Makes the packages, and tries them in a bare Debian where a root can be made.
check_packages_installed() {
  ./package.sh
  if [ "$(id -u)" -ne 0 ]; then
    echo "packages: only root can try them in a root of their own"
  else
    scripts/packages/try.sh out/packages
  fi
}

# A sweep as a job array, where slurmd can be started.
check_cluster() {
  if [ "$(id -u)" -ne 0 ]; then
    echo "cluster: only root can start one"
  else
    scripts/cluster/try-slurm.sh build/dev/bin tests/app/mpi_space.xml
  fi
}

# optimized LOG [OPTION…]: GCC's tests that the options choose; `summary` gets ctest's line.
optimized() {
  local log=build/dev/$1 status=0
  shift
  ctest --test-dir build/dev -j "$jobs" --output-on-failure --progress --no-tests=error "$@" | tee "$log" || status=$?
  summary=$(grep -E '[0-9]+% tests passed' "$log" || true)
  return $status
}

# The last line is ctest's summary.
check_all() {
  if [ "$full" = yes ]; then
    CONVSCOPE_SEEDED_INPUTS=100 optimized ctest.log -LE fuzz
  else
    optimized ctest-core.log -L core -R "$long_tests|$fewer_sanitized"
    optimized ctest.log -LE 'core|fuzz'
  fi
}
