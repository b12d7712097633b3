#!/bin/bash
# boot.sh NODE: start a node again after crash.sh.
set -euo pipefail
node=$1
setsid /usr/sbin/slurmd -D -N "$node" < /dev/null >> "/var/log/slurm/slurmd.$node.out" 2>&1 &
echo $! > "/run/testslurm/slurmd.$node.daemon"
for _ in $(seq 120); do
  [ "$(sinfo -h -n "$node" -t idle,mixed,allocated -o %N)" = "$node" ] && exit 0
  sleep 0.25
done
echo "boot.sh: $node did not come back" >&2
exit 1
