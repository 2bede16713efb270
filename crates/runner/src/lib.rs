//! Plans, solvers, trials, concurrency; one stream of events out.
