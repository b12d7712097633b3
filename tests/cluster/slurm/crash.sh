#!/bin/bash
# crash.sh NODE: power loss of one node: kill -9 its daemon, the step daemons of its jobs and all below them.
set -uo pipefail
node=$1
jobs=$(squeue -h -t RUNNING,COMPLETING -w "$node" -o %A)
kill -9 "$(cat "/run/testslurm/slurmd.$node.daemon")"
below() { local p; for p in $(pgrep -P "$1"); do below "$p"; done; echo "$1"; }
pids=
for job in $jobs; do
  for step in $(pgrep -f "^slurmstepd: \[$job\."); do pids="$pids $(below "$step")"; done
done
[ -n "$pids" ] && kill -9 $pids 2> /dev/null
rm -f "/run/testslurm/slurmd.$node.daemon"
echo "crashed $node: jobs [$(echo $jobs)], processes [$(echo $pids)]"
