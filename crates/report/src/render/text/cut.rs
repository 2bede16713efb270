//! Texts that are longer than their place, cut so that what matters stays.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Text of at most such a width, its end cut off.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.width() <= most {
        return text.to_owned();
    }
    beginning(text.chars(), most.saturating_sub(1)).trim_end().to_owned() + "…"
}

/// Text of at most such a width, its middle cut out.
pub(super) fn cut_middle(text: &str, most: usize) -> String {
    if text.width() <= most {
        return text.to_owned();
    }
    let end = most.saturating_sub(1) / 2;
    beginning(text.chars(), most.saturating_sub(1) - end) + "…" + &ending(text.chars(), end)
}

/// Texts of a column, each cut in such a way. Where different ones would look alike, what they
/// have in common is left out instead.
pub(super) fn cut_apart(
    texts: &[&str],
    most: usize,
    cut: fn(&str, usize) -> String,
) -> Vec<String> {
    let mut shown: Vec<String> = texts.iter().map(|text| cut(text, most)).collect();
    tell_apart(texts, &mut shown, &(0..texts.len()).collect::<Vec<_>>(), (most, cut));
    shown
}

/// Shows those of these texts in another way that look alike although they differ.
fn tell_apart(
    texts: &[&str],
    shown: &mut [String],
    places: &[usize],
    (most, cut): (usize, fn(&str, usize) -> String),
) {
    let mut alike: IndexMap<String, Vec<usize>> = IndexMap::new();
    for place in places {
        alike.entry(shown[*place].clone()).or_default().push(*place);
    }
    for group in alike.into_values() {
        let different: BTreeSet<&str> = group.iter().map(|place| texts[*place]).collect();
        let different: Vec<Vec<char>> =
            different.into_iter().map(|text| text.chars().collect()).collect();
        if different.len() < 2 {
            continue;
        }
        let start = shared(&different, |text, at| text.get(at));
        let rest = |text: &Vec<char>| text.len() - start;
        let end = shared(&different, |text, at| text.iter().rev().nth(at))
            .min(different.iter().map(rest).min().unwrap_or(0));
        for place in &group {
            let letters: Vec<char> = texts[*place].chars().collect();
            shown[*place] = around(&letters, (start, letters.len() - end), (most, cut));
        }
        // Those that still look alike are fewer, because their first letters differed.
        if group.iter().any(|place| shown[*place] != shown[group[0]]) {
            tell_apart(texts, shown, &group, (most, cut));
        }
    }
}

/// How many letters all of these texts share from one end.
fn shared<'a>(
    texts: &'a [Vec<char>],
    letter: impl Fn(&'a Vec<char>, usize) -> Option<&'a char>,
) -> usize {
    let is_shared = |at: &usize| {
        let first = letter(&texts[0], *at);
        first.is_some() && texts.iter().all(|text| letter(text, *at) == first)
    };
    (0..texts[0].len()).take_while(is_shared).count()
}

/// An answer, cut so that the first figure in it is seen that the question does not have: where a
/// figure was expected, that one is what came instead.
pub(super) fn cut_near_figure(text: &str, question: &str, most: usize) -> String {
    let is_new =
        |word: &str| word.contains(|c: char| c.is_ascii_digit()) && !question.contains(word);
    let mut start = 0;
    for word in text.split(' ') {
        let letters = word.chars().count();
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        if is_new(bare) {
            let all: Vec<char> = text.chars().collect();
            let seen: String = all[..start + letters].iter().collect();
            if seen.width() < most {
                break;
            }
            return around(&all, (start, start + letters), (most, cut));
        }
        start += letters + 1;
    }
    cut(text, most)
}

/// A part of a text with as much of what is around it as has room.
fn around(
    text: &[char],
    (start, end): (usize, usize),
    (most, cut): (usize, fn(&str, usize) -> String),
) -> String {
    let part: String = text[start..end].iter().collect();
    let room = most.saturating_sub(2);
    if part.width() >= room {
        let mark = |is_cut: bool| if is_cut { "…" } else { "" };
        return format!("{}{}{}", mark(start > 0), cut(&part, room), mark(end < text.len()));
    }
    let spare = room - part.width();
    let after = beginning(text[end..].iter().copied(), spare / 2);
    let before = ending(text[..start].iter().copied(), spare - after.width());
    let before = whole_words(&text[..start], before);
    let after = beginning(text[end..].iter().copied(), spare - before.width());
    let mark = |shown: &str, all: usize| if shown.chars().count() < all { "…" } else { "" };
    let (lead, trail) = (mark(&before, start), mark(&after, text.len() - end));
    format!("{lead}{}{part}{}{trail}", before.trim_start(), after.trim_end())
}

/// The end of a text without the word that it begins in the middle of, if another follows.
fn whole_words(text: &[char], ending: String) -> String {
    let cut_at = text.len() - ending.chars().count();
    let is_whole = cut_at == 0 || text[cut_at - 1] == ' ';
    match ending.split_once(' ') {
        Some((_, rest)) if !is_whole => rest.to_owned(),
        _ => ending,
    }
}

/// As many letters as have room.
fn beginning(letters: impl Iterator<Item = char>, most: usize) -> String {
    let mut taken = 0;
    let fits = |letter: &char| {
        taken += letter.width().unwrap_or(0);
        taken <= most
    };
    letters.take_while(fits).collect()
}

/// As many of the last letters as have room.
fn ending(letters: impl DoubleEndedIterator<Item = char>, most: usize) -> String {
    beginning(letters.rev(), most).chars().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_look_different_however_narrow_their_column_is() {
        let name = |room: &str, n: usize| {
            format!(
                "household-lighting/floor-{room}/turn-the-long-ceiling-lamp-{n:03}-with-dimming"
            )
        };
        let names = [name("hall", 1), name("hall", 2), name("bedroom", 12), name("hall", 12)];
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        for most in [11, 12, 16, 26, 40, 60] {
            let shown = cut_apart(&names, most, cut_middle);
            let different: BTreeSet<&String> = shown.iter().collect();
            assert_eq!(different.len(), 4, "{most}: {shown:?}");
            assert!(shown.iter().all(|name| name.width() <= most), "{most}: {shown:?}");
        }
        assert_eq!(cut_apart(&names, 12, cut_middle)[2], "…bedro…-012…");
    }

    #[test]
    fn names_that_are_cut_without_harm_keep_both_ends() {
        assert_eq!(cut_apart(&["a-lamp-in-the-hall", "b"], 9, cut_middle), ["a-la…hall", "b"]);
        let same = ["the-same-long-name", "the-same-long-name"];
        assert_eq!(cut_apart(&same, 9, cut_middle), ["the-…name", "the-…name"]);
        let wide = ["台所の照明をつけて-01", "台所の照明をつけて-02"];
        assert!(cut_apart(&wide, 12, cut_middle).iter().all(|name| name.width() <= 12));
    }

    #[test]
    fn the_figure_that_came_instead_is_in_sight() {
        let answer = "“An electric bike costs $320 a day.”";
        let question = "What does an electric bike cost for 2 days?";
        assert_eq!(cut_near_figure(answer, question, 22), "…costs $320 a day.”");
        assert_eq!(cut_near_figure(answer, question, 60), answer);
        let other = "“For 2 days it is rather cheap, and costs $64 in all.”";
        assert!(cut_near_figure(other, question, 20).contains("$64"));
        assert_eq!(cut_near_figure("“Ask at the desk, please.”", question, 12), "“Ask at the…");
    }
}
