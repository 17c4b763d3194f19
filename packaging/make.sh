# Sourced by package.sh and by tests: packages from a finished build. $root is the source.

# The day of what is packed: of the commit, or, away from git, of the newest version.
source_date() {
  git -c safe.directory='*' -C "$root" log -1 --format=%ct 2>/dev/null ||
    date --utc +%s --date="$(sed -n 's/^## .*(\(.*\))$/\1/p' "$root/CHANGELOG.md" | head -n 1)"
}

# make_packages BUILD FOLDER [NAME…]: packages of these names, or all, with what lintian says about them.
make_packages() {
  local build=$1 folder=$2 settings log
  shift 2
  local names=("$@")
  if [ ${#names[@]} -eq 0 ]; then
    for settings in "$build"/packages/*.cmake; do names+=("$(basename "$settings" .cmake)"); done
  fi
  export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(source_date)}"
  umask 022
  mkdir -p "$folder"
  log=$(mktemp)
  for settings in "${names[@]}"; do
    if ! (cd "$build" && cpack --config "packages/$settings.cmake" -B "$folder") >"$log" 2>&1; then
      cat "$log" >&2
      rm -f "$log"
      return 1
    fi
  done
  rm -rf "$log" "$folder/_CPack_Packages" "$folder"/ConvScope-*.json  # the archive has no such description
  check_packages "$folder"
}

check_packages() {
  local packages=("$1"/*.deb)
  ls -l "$1"
  if [ ! -e "${packages[0]}" ] || ! command -v lintian >/dev/null; then return 0; fi
  lintian --fail-on error --display-level ">=warning" --allow-root "${packages[@]}"
}
