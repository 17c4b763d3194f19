#!/usr/bin/env bash
# Draws the guide's pictures anew with the program itself.   scripts/guide_pictures.sh [FOLDER OF THE PROGRAMS]
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
programs="${1:-$root/build/run/bin}"
out="$root/docs/pictures"
mkdir -p "$out"
export QT_QPA_PLATFORM=offscreen

# picture FILE VIEW NETWORK LAYER [OPTION…]
picture() {
  local file=$1 view=$2 network=$3 layer=$4
  shift 4
  "$programs/convscope" --export-view "$view" --layer "$layer" --output "$out/$file.png" "$@" \
    "$root/samples/networks/$network.xml"
}

# window FILE THEME NETWORK VIEW [OPTION…]: the whole window with a view in front
window() {
  local file=$1 theme=$2 network=$3 view=$4 folder
  shift 4
  folder=$(mktemp -d)
  "$programs/convscope" --render "$folder" --show "$view" "$@" "$root/samples/networks/$network.xml"
  cp "$folder/window-$theme.png" "$out/$file.png"
  rm -r "$folder"
}

window window light speed_sign schedule
window window-dark dark squeezenet_1_0 tiling --target nmp
picture schedule schedule speed_sign L2 --size 900x520
picture task-graph task-graph filter_3x3 L1 --size 900x520
picture memory memory speed_sign L2 --size 900x420
picture stepper stepper speed_sign L2 --size 1320x860
picture roofline roofline speed_sign L2 --size 900x520
picture utilization utilization face_detection L1 --size 900x480
picture tiling tiling squeezenet_1_0 conv1 --target nmp --size 1000x640
picture network-graph network-graph lenet conv1 --target nmp --size 620x760
results=$(mktemp -d)
"$programs/convscope-cli" sweep "$root/samples/spaces/nmp_scratchpads_tles_bandwidth.xml" -o "$results/nmp.db" > /dev/null
picture sweep sweep resnet50 conv1 --target nmp --sweep "$results/nmp.db" --size 1000x600
picture parallel parallel resnet50 conv1 --target nmp --sweep "$results/nmp.db" --size 1100x560
picture helps helps speed_sign L2 --size 1000x640
rm -r "$results"
"$programs/convscope" --export-figure machines --output "$out/machines.png" --size 1000x1040
ls -l "$out"
