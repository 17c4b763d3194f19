#!/usr/bin/env bash
# Tries packages in a bare Debian 12, as root: try.sh FOLDER_OF_PACKAGES [ROOT]
# Installs the window's package with apt, reports on a sample, opens the window from its desktop entry on a display of
# Xvfb, removes it and looks for what is left; then the other packages, and the archive in a folder of its own. ROOT is a
# minimal root by debootstrap, which is copied; without it one is made.
set -euo pipefail

packages=$(realpath "$1")
folder=$(mktemp -d)
root=$folder/root
display=:$((RANDOM % 400 + 100))
xvfb=
trap 'clean_up' EXIT

clean_up() {
  [ -z "$xvfb" ] || kill "$xvfb"
  ! mountpoint -q "$root/proc" || umount "$root/proc"
  rm -rf --one-file-system "$folder"
}
say() { echo "try: $*"; }
fail() { say "$*" >&2; exit 1; }
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp/home LC_ALL=C.UTF-8 chroot "$root" "$@"; }
apt() { inside env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Dpkg::Use-Pty=0 "$@" >"$folder/apt.log" 2>&1 || { cat "$folder/apt.log" >&2; fail "apt-get $*"; }; }

prepare() {
  if [ $# -gt 0 ]; then
    cp -a "$1" "$root"
  else
    debootstrap --variant=minbase bookworm "$root" http://deb.debian.org/debian >"$folder/debootstrap.log"
  fi
  mount -t proc proc "$root/proc"
  mkdir -p "$root/tmp/home"
  cp "$packages"/*.deb "$root/tmp/"
  apt update
}

check_report() {
  local report
  report=$(inside "$@" report "$samples/face_detection.xml" --json) || fail "report failed"
  grep -q '"schema": "convscope-report"' <<<"$report" || fail "report printed something else"
  [ "$(grep -c '"verified": true' <<<"$report")" -gt 0 ] || fail "no layer was verified"
}

# Whether a window of ours, of a size that one works in, is on the screen.
window_is_seen() {
  local id
  for id in $(xwininfo -display "$display" -root -tree 2>/dev/null |
    sed -n 's/^ *\(0x[0-9a-f]*\) ".*ConvScope.*)  *[0-9]\{3,\}x[0-9]\{3,\}+.*/\1/p'); do
    ! xwininfo -display "$display" -id "$id" 2>/dev/null | grep -q 'Map State: IsViewable' || return 0
  done
  return 1
}

# Says how many milliseconds pass from the start of a command to its window.
check_window() {
  local begin now program
  Xvfb "$display" -screen 0 1600x1000x24 >/dev/null 2>&1 &
  xvfb=$!
  sleep 2
  begin=$(date +%s%N)
  inside env DISPLAY="$display" "$@" >"$folder/window.log" 2>&1 &
  program=$!
  until window_is_seen; do
    kill -0 "$program" 2>/dev/null || { cat "$folder/window.log" >&2; fail "the window's program ended"; }
    now=$(date +%s%N)
    [ $(((now - begin) / 1000000)) -lt 30000 ] || fail "no window after 30 s"
    sleep 0.02
  done
  now=$(date +%s%N)
  say "window after $(((now - begin) / 1000000)) ms"
  kill "$program"
  wait "$program" 2>/dev/null || true
  kill "$xvfb"
  xvfb=
}

check_nothing_left() {
  local left
  rm -rf "$root/tmp/home" && mkdir "$root/tmp/home"
  left=$(find "$root" -xdev -path "$root/tmp" -prune -o -path "$root/var/log" -prune -o -path "$root/proc" -prune -o -iname '*convscope*' -print)
  [ -z "$left" ] || fail "left after removal: $left"
}

prepare "${@:2}"
samples=/usr/share/convscope/samples/networks

begin=$SECONDS
apt install "/tmp/$(cd "$packages" && ls convscope_*.deb)"
say "apt install of the window's package: $((SECONDS - begin)) s"
check_report convscope-cli
inside convscope --render /tmp/home/pictures "$samples/speed_sign.xml" >/dev/null || fail "no pictures"
mapfile -t command < <(sed -n 's/^Exec=//p' "$root/usr/share/applications/convscope.desktop" | sed 's/ %f//' | tr ' ' '\n')
check_window "${command[@]}"
apt remove convscope
check_nothing_left
say "window's package: right, and nothing left"

apt install "/tmp/$(cd "$packages" && ls convscope-nogui_*.deb)" "/tmp/$(cd "$packages" && ls convscope-mpi_*.deb)"
check_report convscope-cli
inside mpirun --allow-run-as-root --oversubscribe -n 2 convscope-sweep-mpi \
  /usr/share/convscope/samples/spaces/nve_lanes_ports_instructions.xml -o /tmp/home/results.db >/dev/null || fail "no sweep over MPI"
apt remove convscope-mpi
apt install "/tmp/$(cd "$packages" && ls python3-convscope_*.deb)"
inside python3 -c 'import convscope
total = convscope.compile(convscope.Network("lenet"), convscope.Machine("nmp", tles=2)).total
assert total["seconds"].origin == "estimate" and total["macs"].value > 0
assert len(convscope.sweep(convscope.Space("lenet", "nmp", {"tles": [1, 2]}))["seconds"]) == 2' || fail "Python's module failed"
apt remove python3-convscope convscope-nogui
check_nothing_left
say "command line, MPI and Python: right, and nothing left"

archives=("$packages"/*.tar.zst)
if [ ! -e "${archives[0]}" ]; then exit 0; fi
apt autoremove --purge
cp "${archives[0]}" "$root/tmp/archive.tar.zst"
apt install zstd
inside tar -C /tmp/home --zstd -xf /tmp/archive.tar.zst
inside mv /tmp/home/"$(ls "$root/tmp/home")" "/tmp/home/any folder"
samples="/tmp/home/any folder/share/convscope/samples/networks"
check_report "/tmp/home/any folder/bin/convscope-cli"
check_window "/tmp/home/any folder/bin/convscope"
say "archive: right"
