//! The `toolgauge` command.

use std::process::ExitCode;

// Building and dropping small values is most of what scoring and logging do.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    toolgauge::run().into()
}
