//! What kinds of things a home has, and what they are called.

use std::collections::HashSet;
use std::sync::LazyLock;

use toolgauge_core::WorldThing;

use super::pattern;

/// What stands on both sides of `=`: kinds of things or acts, and the words or kinds for them.
pub(super) type Row = (Vec<&'static str>, Vec<&'static str>);

/// The sections of `kinds.txt`, which says what each is for.
pub(super) struct Kinds {
    called: Vec<Row>,
    given: Vec<Row>,
    pub(super) acts: Vec<Row>,
    sorts: Vec<Vec<&'static str>>,
    pub(super) appliances: HashSet<&'static str>,
    pub(super) unlisted: HashSet<&'static str>,
    pub(super) told_by_calls: HashSet<&'static str>,
    pub(super) told_in_glosses: HashSet<&'static str>,
    pub(super) routines: Vec<&'static str>,
    pub(super) theirs: HashSet<&'static str>,
}

pub(super) static KINDS: LazyLock<Kinds> = LazyLock::new(|| {
    let table = include_str!("tables/kinds.txt");
    let words = |line: &'static str| line.split_whitespace();
    let lists = |name| pattern::section(table, name).map(|line| words(line).collect());
    let rows = |name| {
        let sides = pattern::section(table, name).filter_map(|line| line.split_once('='));
        sides.map(|(of, what)| (words(of).collect(), words(what).collect())).collect()
    };
    let set = |name| pattern::words_of_sections(table, &[name]);
    Kinds {
        called: rows("called"),
        given: rows("given"),
        acts: rows("acts"),
        sorts: lists("sorts").collect(),
        appliances: set("appliances"),
        unlisted: set("unlisted"),
        told_by_calls: set("told by calls"),
        told_in_glosses: set("told in glosses"),
        routines: pattern::section(table, "routines").flat_map(words).collect(),
        theirs: set("theirs"),
    }
});

/// Whether a thing is of a kind: of a domain, or of a domain and a device class (`cover:garage`).
pub(super) fn is_of_kind(thing: &WorldThing, kind: &str) -> bool {
    match kind.split_once(':') {
        Some((domain, class)) => domain == thing.kind() && thing.class() == Some(class),
        None => kind == thing.kind(),
    }
}

fn words_of(rows: &'static [Row], thing: &WorldThing) -> &'static [&'static str] {
    let mut rows = rows.iter();
    let own = rows.find(|(kinds, _)| kinds.iter().any(|kind| is_of_kind(thing, kind)));
    own.map_or(&[], |(_, words)| words)
}

/// What a thing is called by what it is.
pub(super) fn kinds_of(thing: &WorldThing) -> &'static [&'static str] {
    words_of(&KINDS.called, thing)
}

/// What else people call what a thing gives.
pub(super) fn given_by(thing: &WorldThing) -> &'static [&'static str] {
    words_of(&KINDS.given, thing)
}

/// The sort of things that a word is for.
pub(super) fn sort(word: &str) -> Option<usize> {
    let bare = word.strip_suffix('s').unwrap_or(word);
    KINDS.sorts.iter().position(|sort| sort.contains(&word) || sort.contains(&bare))
}
