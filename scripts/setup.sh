#!/usr/bin/env bash
# Installs the packages of packages.txt that are missing: setup.sh SECTION… Says nothing and asks nobody if there are none.
set -euo pipefail

list="$(dirname "${BASH_SOURCE[0]}")/packages.txt"
mapfile -t wanted < <(awk -v wanted=" $* " '{ sub(/#.*/, "") }
  /^\[/ { section = $1; gsub(/[][]/, "", section); next }
  index(wanted, " " section " ") { for (i = 1; i <= NF; ++i) print $i }' "$list" | sort -u)
[ ${#wanted[@]} -gt 0 ] || { echo "setup.sh: no packages for '$*'; expected sections of packages.txt" >&2; exit 2; }

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "setup: this is no Debian system; install what corresponds to these packages yourself:" >&2
  printf '  %s\n' "${wanted[@]}" >&2
  exit 1
fi

installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/^installed //p' || true)
mapfile -t missing < <(comm -23 <(printf '%s\n' "${wanted[@]}" | sort -u) <(sort -u <<<"$installed"))
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=()
elif command -v sudo >/dev/null; then
  as_root=(sudo)
else
  echo "setup: packages are missing, and neither root's rights nor sudo are at hand. Let an administrator run:" >&2
  echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 1
fi

echo "setup: installing ${missing[*]}" >&2
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 "${missing[@]}" >/dev/null
