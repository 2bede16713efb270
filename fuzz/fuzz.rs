//! One fuzzer for all readers. The variable `TARGET` names the one to run; `fuzz/run` sets it.

#![no_main]

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use toolgauge_fuzzing::{TARGETS, Target, by_name, seeds};

static TARGET: OnceLock<Target> = OnceLock::new();

/// Lists the targets if `TARGET` names none; packs the folder `PACK` if there is one; else writes
/// the seeds into the folder `SEEDS`.
fn begin() {
    let name = std::env::var("TARGET").unwrap_or_default();
    let Some(target) = by_name(&name) else {
        TARGETS.iter().for_each(|target| println!("{} {}", target.name, target.longest));
        std::process::exit(i32::from(name != "list"));
    };
    if let (Ok(folder), Ok(output)) = (std::env::var("PACK"), std::env::var("OUTPUT")) {
        pack(Path::new(&folder), Path::new(&output));
        std::process::exit(0);
    }
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

/// Packs the files of a folder into one, because a corpus has thousands.
fn pack(folder: &Path, output: &Path) {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut zip = zip::ZipWriter::new(File::create(output).expect("the file can be written"));
    for (number, path) in paths.iter().enumerate() {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(number.to_string(), options).expect("a member can be begun");
        zip.write_all(&fs::read(path).expect("an input can be read")).expect("it can be written");
    }
    zip.finish().expect("the file can be ended");
    println!("{}: {} inputs", output.display(), paths.len());
}

fuzz_target!(init: begin(), |input: &[u8]| {
    if let Some(target) = TARGET.get() {
        (target.run)(input);
    }
});
