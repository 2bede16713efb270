//! Scorers: a case and a transcript in, an outcome out.
