#!/usr/bin/env bash
# Installs what is missing, builds, and opens the application on a sample or on the given arguments.
# Without a display: draws the views as pictures in out/ and prints the report.   ./run.sh [NETWORK | arguments…]
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
"$root/scripts/setup.sh" run
source "$root/scripts/environment.sh"

configure run
cmake --build "$root/build/run" --target convscope convscope-cli convscope-run-generated  # the last one runs what `measure` generates

programs="$root/build/run/bin"
if [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ]; then
  exec "$programs/convscope" "$@"  # without arguments: a sample, and things to try
fi
if [ $# -eq 0 ]; then
  set -- "$root/samples/networks/face_detection.xml"
fi

echo "No display: drawing the views of $1 in $root/out"
mkdir -p "$root/out"
QT_QPA_PLATFORM=offscreen "$programs/convscope" --render "$root/out" "$1"
ls "$root/out"
"$programs/convscope-cli" report "$1" --target nve
