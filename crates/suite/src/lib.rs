//! Files in, valid suites out, with a place for every problem.
