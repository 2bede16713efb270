//! What is computed from logs: summaries, comparisons, gates, and their renderings.
