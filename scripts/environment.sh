# Sourced by run.sh and test.sh: what every build of theirs has in common.

# ccache only where it is; CMakePresets.json reads the variable. An empty value set by the caller switches it off.
export CONVSCOPE_COMPILER_LAUNCHER="${CONVSCOPE_COMPILER_LAUNCHER-$(command -v ccache || true)}"
export LC_ALL="${LC_ALL:-C.UTF-8}"

# configure PRESET: quiet if all is well.
configure() {
  local log
  log=$(mktemp)
  if ! cmake -S "$root" --preset "$1" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}
