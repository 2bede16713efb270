//! Figures against other programs, against simulations and by property.

mod bounded_mean;
mod properties;
mod ranking;
mod reference;
mod resampled;
mod simulation;
mod tau_bench;
