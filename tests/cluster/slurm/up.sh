#!/bin/bash
# up.sh [NODES=2] [CPUS_PER_NODE=2] [MEM_PER_NODE_MB=8000]
# A real SLURM on one Debian machine, for tests: a controller and NODES compute daemons n1, n2, ..., as root, without systemd.
# It wants the packages slurm-wlm and munge. Jobs that take more memory than they asked for are killed, as on a real cluster.
set -euo pipefail
nodes=${1:-2} cpus=${2:-2} memory=${3:-8000}
host=$(hostname -s) run=/run/testslurm log=/var/log/slurm conf=/etc/slurm/slurm.conf
[ "$(id -u)" = 0 ] || { echo "up.sh: root is needed" >&2; exit 1; }
# A pid that another program has now, or none, is what a machine that went down leaves: the cluster is not up.
running() { grep -qs "$1" "/proc/$(cat "$run/$1.daemon" 2> /dev/null)/cmdline"; }
running slurmctld && { echo "up.sh: already up; run down.sh first" >&2; exit 1; }
if [ -s "$conf" ] && ! grep -qE '^ClusterName=(toy|test)$' "$conf"; then
  echo "up.sh: $conf belongs to a cluster that is not for tests" >&2; exit 1
fi
install -d -m 0755 /etc/slurm "$log" "$run" /var/spool/slurmctld
find /var/spool/slurmctld -mindepth 1 -delete       # fresh state: job numbers start at 1
rm -f "$run"/*
: > "$log/jobcomp.log"
install -d -o munge -g munge -m 0755 /run/munge     # the package leaves this to systemd
install -d -o munge -g munge -m 0700 /etc/munge /var/log/munge /var/lib/munge
[ -s /etc/munge/munge.key ] || mungekey -c -k /etc/munge/munge.key
chown munge:munge /etc/munge/munge.key
chmod 0400 /etc/munge/munge.key
{
  cat <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd.%n
SlurmctldPidFile=$run/slurmctld.pid
SlurmdPidFile=$run/slurmd.%n.pid
SlurmctldLogFile=$log/slurmctld.log
SlurmdLogFile=$log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=2
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$log/jobcomp.log
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory,CR_LLN
DefMemPerCPU=500
SchedulerType=sched/backfill
ReturnToService=2
SlurmdParameters=config_overrides
MinJobAge=86400
SlurmdTimeout=20
KillWait=5
CONF
  for i in $(seq "$nodes"); do
    echo "NodeName=n$i NodeHostname=$host NodeAddr=127.0.0.1 Port=$((17000 + i)) CPUs=$cpus RealMemory=$memory State=UNKNOWN"
  done
  echo "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP"
} > "$conf"
daemon() { # daemon NAME COMMAND...: in its own session, its pid in $run/NAME.daemon
  local name=$1
  shift
  setsid "$@" < /dev/null >> "$log/$name.out" 2>&1 &
  echo $! > "$run/$name.daemon"
}
daemon munged setpriv --reuid munge --regid munge --clear-groups /usr/sbin/munged -F
for _ in $(seq 100); do munge -n > /dev/null 2>&1 && break; sleep 0.1; done
munge -n | unmunge > /dev/null
daemon slurmctld /usr/sbin/slurmctld -D -c
for i in $(seq "$nodes"); do
  mkdir -p "/var/spool/slurmd.n$i"
  daemon "slurmd.n$i" /usr/sbin/slurmd -D -N "n$i"
done
for _ in $(seq 120); do
  if [ "$(sinfo -h -N -t idle -o %N 2> /dev/null | sort -u | wc -l)" = "$nodes" ]; then sinfo -N; exit 0; fi
  sleep 0.25
done
echo "up.sh: SLURM did not come up" >&2
tail -n 5 "$log"/*.out >&2
exit 1
