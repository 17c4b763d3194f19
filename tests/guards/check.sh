#!/usr/bin/env bash
# check.sh PROGRAM BUDGETS NAME: counts the instructions of a hot path under callgrind; fails above its budget.
# A count differs a little between versions of the compiler and of libraries: 10 % are granted.
set -euo pipefail

program=$1 budgets=$2 name=$3
budget=$(awk -v name="$name" '$1 == name { print $2 }' "$budgets")
[ -n "$budget" ] || { echo "$name has no budget in $budgets" >&2; exit 1; }

log=$(mktemp)
trap 'rm -f "$log"' EXIT
valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=guarded_work "$program" "$name" >"$log" 2>&1 ||
  { cat "$log" >&2; exit 1; }
count=$(sed -n 's/^.*Collected : \([0-9]*\).*$/\1/p' "$log")
[ "${count:-0}" -gt 0 ] || { echo "nothing was counted:" >&2; cat "$log" >&2; exit 1; }

echo "$name: $count instructions, $((100 * count / budget)) % of the budget"
if [ "$count" -gt $((budget + budget / 10)) ]; then
  echo "That is more than a tenth above. Find out why; if it is worth it, raise the budget in tests/guards/budgets.txt." >&2
  exit 1
fi
if [ "$count" -lt $((budget - budget / 4)) ]; then
  echo "That is far below: lower the budget in tests/guards/budgets.txt, so that it stays so." >&2
  exit 1
fi
