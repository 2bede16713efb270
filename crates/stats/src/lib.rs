//! Statistics for evaluation results: numbers in, numbers out.
