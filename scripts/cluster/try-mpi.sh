#!/usr/bin/env bash
# Shows on one machine that an MPI sweep survives: try-mpi.sh BIN_FOLDER SPACE [RANKS]
# One run without MPI; a job of several ranks; a job of which one rank is killed (kill -9), then resumed with another
# number of ranks. All three results must be the same file, byte by byte.
set -euo pipefail

bin=$1 space=$2 ranks=${3:-4}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
as_root=()
[ "$(id -u)" -ne 0 ] || as_root=(--allow-run-as-root)
job() {
  local n=$1
  shift
  mpirun "${as_root[@]}" --oversubscribe -n "$n" "$bin/convscope-sweep-mpi" "$space" --chunk 4 "$@"
}
rows() {
  local seen
  seen=$("$bin/convscope-cli" front "$1" --json 2>/dev/null | sed -n 's/^  "seen": \([0-9]*\),$/\1/p')
  echo "${seen:-0}"
}
stored() {
  local sum=0 file
  for file in "$folder"/killed.db.rank[0-9] "$folder"/killed.db.rank[0-9][0-9]; do
    [ ! -e "$file" ] || sum=$((sum + $(rows "$file")))
  done
  echo "$sum"
}

"$bin/convscope-cli" sweep "$space" -o "$folder/single.db"
job "$ranks" -o "$folder/whole.db"
cmp "$folder/single.db" "$folder/whole.db"
echo "a job of $ranks ranks gives the bytes of a single run"

job "$ranks" -o "$folder/killed.db" &
mpi=$!
# As soon as something is stored, one rank dies; mpirun then ends the others.
while kill -0 $mpi 2>/dev/null && [ "$(stored)" -lt 4 ]; do sleep 0.05; done
victim=$(pgrep -f "^$bin/convscope-sweep-mpi .*$folder/killed.db" | tail -n 1 || true)
[ -z "$victim" ] || kill -9 "$victim" || true
if wait $mpi 2>/dev/null; then
  echo "try-mpi.sh: the job was over before a rank could be killed; take a larger space" >&2
  exit 1
fi
kept=$(stored)
echo "one of $ranks ranks was killed; $kept points were stored"
[ "$kept" -ge 4 ]
[ ! -e "$folder/killed.db" ]

job $((ranks - 1)) -o "$folder/killed.db" --resume
cmp "$folder/single.db" "$folder/killed.db"
echo "resumed by $((ranks - 1)) ranks: the bytes of a single run"
