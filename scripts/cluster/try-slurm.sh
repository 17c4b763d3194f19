#!/usr/bin/env bash
# Shows on one machine that the job array of sweep.slurm works: try-slurm.sh BIN_FOLDER SPACE [TASKS]
# Starts a cluster of one node (munge, slurmctld, slurmd on the loopback, in a folder of its own), submits the array,
# kills one task and submits the same command again, merges the shards, and compares with a run without Slurm, byte by
# byte. Everything that it started is stopped at the end. As root: slurmd wants to be, and munge's key has an owner.
set -euo pipefail

bin=$(realpath "$1") space=$(realpath "$2") tasks=${3:-3}
script=$(realpath "$(dirname "${BASH_SOURCE[0]}")/sweep.slurm")
[ "$(id -u)" -eq 0 ] || { echo "try-slurm.sh: only root can start slurmd" >&2; exit 2; }
for program in munged slurmctld slurmd sbatch; do
  command -v "$program" >/dev/null || { echo "try-slurm.sh: $program is missing; install slurm-wlm and munge" >&2; exit 2; }
done

folder=$(mktemp -d)
chmod 755 "$folder"
node=$(hostname -s)
running=()
export SLURM_CONF=$folder/slurm.conf PATH="$bin:$PATH"

clean_up() {
  local pid
  [ ! -e "$folder/ready" ] || scancel --user root 2>/dev/null || true
  for pid in "${running[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$folder"
}
trap clean_up EXIT
fail() { echo "try-slurm.sh: $*" >&2; tail -n 20 "$folder"/*.log >&2 || true; exit 1; }

# wait_for SECONDS COMMAND…
wait_for() {
  local tenths=$((10 * $1))
  shift
  while ! "$@" >/dev/null 2>&1; do
    tenths=$((tenths - 1))
    [ "$tenths" -gt 0 ] || return 1
    sleep 0.1
  done
}

start_cluster() {
  install -d -m 700 "$folder/munge"
  dd if=/dev/urandom of="$folder/munge/key" bs=1024 count=1 status=none
  chmod 400 "$folder/munge/key"
  cat >"$SLURM_CONF" <<CONF
ClusterName=trial
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$((20000 + RANDOM % 5000))
SlurmdPort=$((26000 + RANDOM % 5000))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=1024 State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
CONF
  mkdir -p "$folder/state" "$folder/spool" "$folder/results"
  munged --foreground --force --key-file "$folder/munge/key" --socket "$folder/munge/socket" --pid-file "$folder/munge/pid" \
    --seed-file "$folder/munge/seed" >"$folder/munge.log" 2>&1 &
  running+=($!)
  wait_for 20 test -S "$folder/munge/socket" || fail "munge doesn't answer"
  slurmctld -D -i >"$folder/control.log" 2>&1 &
  running+=($!)
  slurmd -D -N "$node" >"$folder/daemon.log" 2>&1 &
  running+=($!)
  wait_for 60 sh -c "sinfo -h -o %T | grep -q idle" || fail "the node doesn't become idle"
  touch "$folder/ready"
}

# The array as its comment says, with what fits a small machine. Prints the job's number.
submit() {
  (cd "$folder/results" && sbatch --parsable --array="1-$tasks" --cpus-per-task=1 --mem=100 \
    --export="ALL,SPACE=$space,RESULTS=$folder/results/shard" "$script")
}
rows() {
  local sum=0 file seen
  for file in "$folder"/results/shard.*.db; do
    seen=$("$bin/convscope-cli" front "$file" --json 2>/dev/null | sed -n 's/^  "seen": \([0-9]*\),$/\1/p')
    sum=$((sum + ${seen:-0}))
  done
  echo "$sum"
}
ended() { [ -z "$(squeue -h -j "$1" 2>/dev/null)" ]; }

"$bin/convscope-cli" sweep "$space" -o "$folder/single.db"
start_cluster

job=$(submit)
wait_for 60 test -e "$folder/results/shard.1.db" || fail "the first task wrote nothing"
scancel --signal=KILL --full "${job}_1" 2>/dev/null || true
wait_for 300 ended "$job" || fail "the array doesn't end"
kept=$(rows)
all=$("$bin/convscope-cli" front "$folder/single.db" --json | sed -n 's/^  "seen": \([0-9]*\),$/\1/p')
[ "$kept" -lt "$all" ] || fail "the array was over before a task could be killed; take a larger space"
echo "an array of $tasks tasks ran; one was killed, and $kept of $all points were stored"

job=$(submit)
wait_for 300 ended "$job" || fail "the second array doesn't end"
"$bin/convscope-cli" merge "$folder"/results/shard.*.db -o "$folder/merged.db" || fail "the shards can't be merged"
cmp "$folder/single.db" "$folder/merged.db" || fail "the merged results are others"
echo "submitted again and merged: the bytes of a single run"
