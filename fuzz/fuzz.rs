//! One fuzzer for all readers. The variable `TARGET` names the one to run; `fuzz/run` sets it.

#![no_main]

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use toolgauge_fuzzing::{TARGETS, Target, by_name, seeds};

static TARGET: OnceLock<Target> = OnceLock::new();

/// Lists the targets if `TARGET` names none; else writes the seeds into the folder `SEEDS`.
fn begin() {
    let name = std::env::var("TARGET").unwrap_or_default();
    let Some(target) = by_name(&name) else {
        TARGETS.iter().for_each(|target| println!("{} {}", target.name, target.longest));
        std::process::exit(i32::from(name != "list"));
    };
    if let Ok(folder) = std::env::var("SEEDS") {
        for (number, seed) in seeds::of(&target).iter().enumerate() {
            let path = Path::new(&folder).join(format!("seed-{number:03}"));
            fs::write(path, seed).expect("a seed can be written");
        }
    }
    if target.name == "pdf" {
        // The reader catches panics of its library. Those that nobody catches still end the fuzzer.
        std::panic::set_hook(Box::new(|_| {}));
    }
    TARGET.get_or_init(|| target);
}

fuzz_target!(init: begin(), |input: &[u8]| {
    if let Some(target) = TARGET.get() {
        (target.run)(input);
    }
});
