#!/usr/bin/env bash
# A real model behind a real llama.cpp server, end to end: starts the server on a free port of this
# machine, warms its prompt cache, runs a suite, and stops it again.
#
#     benches/real-model.sh MODEL.gguf [SUITE] [further flags of `toolgauge run`]
#
# Needs `llama-server` on the PATH, or named by TOOLGAUGE_LLAMA_SERVER. A model of half a billion
# parameters takes a few minutes for the `everyday` suite on two cores.
set -euo pipefail
model=$(realpath "${1:?name a GGUF file}")
suite=${2:-everyday}
shift $(($# < 2 ? $# : 2))
cd "$(dirname "$0")/.."
cargo build --release --quiet
exec target/release/toolgauge run "$suite" -m "$model" "$@"
