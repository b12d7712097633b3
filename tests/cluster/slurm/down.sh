#!/bin/bash
# down.sh: cancel all jobs of the test cluster, stop the daemons that up.sh started, by pid, and take its configuration away:
# SLURM's commands, which the executor plugin calls whenever Snakemake starts, wait 9 s for a controller that is configured and not there.
set -uo pipefail
run=/run/testslurm conf=/etc/slurm/slurm.conf
scancel -u "$(id -un)" 2> /dev/null
for _ in $(seq 40); do [ -z "$(squeue -h 2> /dev/null)" ] && break; sleep 0.25; done
gone() { [ ! -e "/proc/$1/stat" ] || grep -q '^State:.*Z' "/proc/$1/status" 2> /dev/null; }   # process 1 may not reap zombies
for file in "$run"/slurmd.*.daemon "$run"/slurmctld.daemon "$run"/munged.daemon; do
  [ -s "$file" ] || continue
  pid=$(cat "$file")
  kill "$pid" 2> /dev/null
  for _ in $(seq 40); do gone "$pid" && break; sleep 0.25; done
  gone "$pid" || kill -9 "$pid"
  rm -f "$file"
done
grep -qsx "ClusterName=test" "$conf" && rm -f "$conf"
exit 0
