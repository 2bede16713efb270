#!/usr/bin/env bash
# @COUNT@ tasks of a Slurm array share one run of toolgauge; a job that depends on them merges.
#
#   array=$(sbatch --parsable toolgauge.sbatch)
#   sbatch --array=0 --dependency="afterany:$array" toolgauge.sbatch merge
#
# A task that is requeued or submitted again (`sbatch --array=3,7 toolgauge.sbatch`) goes on where
# it was: the number of shards stays @COUNT@, whatever part of the array is submitted.
# Whatever your cluster asks for (partition, account, GPUs, time) is added here or to sbatch.
#SBATCH --job-name=toolgauge
#SBATCH --array=0-@LAST@
#SBATCH --requeue
# A requeue would empty the output of the tries before.
#SBATCH --open-mode=append
#SBATCH --output=toolgauge-%A_%a.txt
# Two minutes before the time limit, so that the task can end its trials and queue itself again.
#SBATCH --signal=B:USR1@120
# Your keys come along from where you submit. `--export=NONE` keeps the environment out.

set -u
cd "${SLURM_SUBMIT_DIR:-.}" || exit 2

if [ "${1:-}" = merge ]; then
  # Refuses while trials are missing; `--partial` merges what is there.
  exec toolgauge merge @LOGS@ -o @OUTPUT@
fi
@SERVER@
# In the background: a shell hears of a signal only between commands, or while it waits.
toolgauge run @ARGUMENTS@ --shard auto/@COUNT@ &
child=$!
again=no
trap 'again=yes; kill -TERM "$child" 2>/dev/null' USR1
trap 'kill -TERM "$child" 2>/dev/null' TERM
wait "$child"
status=$?
# A signal ends the waiting and not the program, which finishes the trials under way.
while kill -0 "$child" 2>/dev/null; do
  wait "$child"
  status=$?
done

# Interrupted by the time limit: it goes on another time. A task that was cancelled stays so, and
# one that had to make room for others is queued again by Slurm itself.
if [ "$status" = 130 ] && [ "$again" = yes ]; then
  exec scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
fi
exit "$status"
