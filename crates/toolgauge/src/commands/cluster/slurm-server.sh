
# A model server for this task alone, on a port that other tasks of this node do not use.
PORT=$((20000 + SLURM_JOB_ID % 20000))
export PORT
bash -c @COMMAND@ >"server-${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}.txt" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null' EXIT
# It listens at once or after it has loaded its model; toolgauge waits for the latter.
until (exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null; do
  kill -0 "$server" 2>/dev/null || { echo "the model server has ended" >&2; exit 2; }
  sleep 1
done
