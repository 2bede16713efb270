//! The toolgauge command.
fn main() {}
