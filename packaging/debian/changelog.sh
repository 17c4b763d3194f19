#!/usr/bin/env bash
# changelog.sh CHANGELOG.md PACKAGE MAINTAINER: the same changes as Debian's policy (4.4) writes them, on stdout.
set -euo pipefail

awk -v package="$2" -v maintainer="$3" '
  function finish_item(    words, count, line, i) {
    if (item == "") return
    count = split(item, words, " ")
    line = "  *"
    for (i = 1; i <= count; ++i) {
      if (length(line " " words[i]) > 78) { print line; line = "   " }
      line = line " " words[i]
    }
    print line
    item = ""
  }
  function finish_version() {
    finish_item()
    if (date != "") printf "\n -- %s  %s\n\n", maintainer, date
  }
  /^## / {
    finish_version()
    day = $3; gsub(/[()]/, "", day)
    command = "LC_ALL=C date --utc --rfc-email --date=" day
    command | getline date
    close(command)
    printf "%s (%s) stable; urgency=medium\n\n", package, $2
    next
  }
  date != "" && /^- / { finish_item(); item = substr($0, 3); next }
  date != "" && /^  / { item = item " " $0 }
  END { finish_version() }
' "$1"
