#!/usr/bin/env bash
# Builds the last commit in two folders, without any cache, and compares what comes out byte by byte.
#   reproducible.sh [PACKAGE…]     names as in build/package/packages; without names all
# Takes two whole builds.
set -euo pipefail

source_root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
git=(git -c safe.directory='*' -C "$source_root")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CONVSCOPE_COMPILER_LAUNCHER=
SOURCE_DATE_EPOCH=$("${git[@]}" log -1 --format=%ct)
export SOURCE_DATE_EPOCH

for root in "$folder/one" "$folder/another folder/further down"; do
  mkdir -p "$root"
  "${git[@]}" archive HEAD | tar -x -C "$root"
  source "$root/scripts/environment.sh"
  source "$root/packaging/make.sh"
  configure package
  cmake --build "$root/build/package"
  make_packages "$root/build/package" "$root/out/packages" "$@"
  if grep -rlF "$folder" "$root/build/package/bin"; then
    echo "reproducible: these programs have the folder of their source in them" >&2
    exit 1
  fi
done
diff -rq "$folder/one/out/packages" "$folder/another folder/further down/out/packages"
echo "reproducible: the same bytes"
