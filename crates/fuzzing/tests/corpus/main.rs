//! Every reader is given what a fuzzer found, the seeds, and pieces of both.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use toolgauge_fuzzing::{TARGETS, Target, seeds};
use zip::ZipArchive;

/// Far more than any small input should take, on a machine that does other things as well.
const LONGEST: Duration = Duration::from_secs(20);

/// What broke a reader once, as files, and what reaches all of it, in one archive.
fn corpus(target: &Target) -> Vec<Vec<u8>> {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let entries = fs::read_dir(corpora.join(target.name)).into_iter().flatten();
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut inputs: Vec<Vec<u8>> =
        paths.into_iter().map(|path| fs::read(path).expect("a file can be read")).collect();
    if let Ok(archive) = File::open(corpora.join(format!("{}.zip", target.name))) {
        let mut archive = ZipArchive::new(archive).expect("a corpus is an archive");
        for place in 0..archive.len() {
            let mut input = Vec::new();
            let mut member = archive.by_index(place).expect("a member is there");
            member.read_to_end(&mut input).expect("a member can be read");
            inputs.push(input);
        }
    }
    inputs
}

/// An input as it is, cut off, and with single bytes changed.
fn pieces(input: &[u8]) -> Vec<Vec<u8>> {
    let cuts = (1..4).map(|quarter| input[..input.len() * quarter / 4].to_vec());
    let changed = (1..8).filter_map(|eighth| {
        let mut other = input.to_vec();
        *other.get_mut(input.len() * eighth / 8)? ^= 1 << eighth;
        Some(other)
    });
    [input.to_vec()].into_iter().chain(cuts).chain(changed).collect()
}

/// What does not hold for an input, if anything.
fn failure(target: &Target, input: &[u8]) -> Option<String> {
    let begun = Instant::now();
    let outcome = std::panic::catch_unwind(|| (target.run)(input));
    let taken = begun.elapsed();
    let shown = input.escape_ascii();
    match outcome {
        Err(_) => Some(format!("`{}` panics on b\"{shown}\"", target.name)),
        Ok(()) if taken > LONGEST => {
            Some(format!("`{}` takes {taken:?} for b\"{shown}\"", target.name))
        }
        Ok(()) => None,
    }
}

/// The first failure of every target.
fn failures(inputs: impl Fn(&Target) -> Vec<Vec<u8>>) -> Vec<String> {
    let first = |target: &Target| inputs(target).iter().find_map(|input| failure(target, input));
    TARGETS.iter().filter_map(first).collect()
}

#[test]
fn what_a_fuzzer_found_is_read_or_refused() {
    assert_eq!(failures(corpus), Vec::<String>::new());
}

#[test]
fn seeds_and_pieces_of_them_are_read_or_refused() {
    let inputs = |target: &Target| {
        let seeds = seeds::of(target).into_iter().chain([Vec::new()]);
        seeds.flat_map(|seed| pieces(&seed)).collect()
    };
    assert_eq!(failures(inputs), Vec::<String>::new());
}

#[test]
fn every_target_has_seeds_and_every_corpus_a_target() {
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert!(names.is_sorted(), "targets are in alphabetical order");
    let bare = TARGETS.iter().filter(|target| seeds::of(target).is_empty());
    assert_eq!(bare.map(|target| target.name).collect::<Vec<_>>(), Vec::<&str>::new());
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for entry in fs::read_dir(corpora).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let name = name.trim_end_matches(".zip");
        assert!(names.contains(&name), "the corpus `{name}` has no target");
    }
}
