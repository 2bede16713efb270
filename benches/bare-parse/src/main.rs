//! Parses a file again and again and prints the best time of each parser, in seconds.
//!
//! `bare-parse FILE [ROUNDS]` reads the file into memory once, outside the timing. simd-json
//! parses in place; the copy it needs is not timed either.

use std::hint::black_box;
use std::time::{Duration, Instant};

use simd_json::Buffers;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("usage: bare-parse FILE [ROUNDS]");
    let rounds = arguments.next().map_or(5, |text| text.parse().expect("ROUNDS is a number"));
    let bytes = std::fs::read(&path).expect("the file can be read");
    let sonic = best(rounds, || {
        let start = Instant::now();
        black_box(sonic_rs::from_slice::<sonic_rs::Value>(&bytes).expect("the file is JSON"));
        start.elapsed()
    });
    let mut buffers = Buffers::new(bytes.len());
    let tape = best(rounds, || {
        let mut copy = bytes.clone();
        let start = Instant::now();
        black_box(
            simd_json::to_tape_with_buffers(&mut copy, &mut buffers).expect("the file is JSON"),
        );
        start.elapsed()
    });
    println!("sonic-rs {:.6}", sonic.as_secs_f64());
    println!("simd-json {:.6}", tape.as_secs_f64());
}

fn best(rounds: usize, mut once: impl FnMut() -> Duration) -> Duration {
    (0..rounds.max(1)).map(|_| once()).min().expect("there is at least one round")
}
