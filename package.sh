#!/usr/bin/env bash
# Installs what is missing, builds, and makes the packages in out/packages: .deb files for Debian 12 (with window, without,
# for MPI, for peers), and an archive that runs from any folder.   ./package.sh
# The bytes depend on the commit alone, not on the folder or the day: scripts/packages/reproducible.sh compares them.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
"$root/scripts/setup.sh" run more package
source "$root/scripts/environment.sh"
source "$root/packaging/make.sh"

configure package
cmake --build "$root/build/package"
make_packages "$root/build/package" "$root/out/packages"
