//! Lines that are wider than the terminal, continued below their own words.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::cut::cut_middle;

/// Words that continue a line begin no further to the right than this.
const FURTHEST: usize = 24;

/// Text in which no line is wider than the terminal. Lines are broken at spaces and go on below the
/// words beside their label. A name that is longer than a line is cut in its middle; a path is
/// not, because people copy it.
pub fn fitted(text: &str, width: usize) -> String {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        if shown_width(line) <= width {
            lines.push(line.to_owned());
        } else {
            wrap_line(line, width, &mut lines);
        }
    }
    lines.join("\n")
}

fn wrap_line(line: &str, width: usize, lines: &mut Vec<String>) {
    let indent = indent(line).min(width / 2);
    let room = width - indent;
    let (mut current, mut taken, mut is_empty) = (String::new(), 0, true);
    let mut is_continued = false;
    for (number, word) in line.split(' ').enumerate() {
        let word = if word.contains('/') { word.to_owned() } else { cut_word(word, room) };
        // Spaces at which a line was broken do not begin the next one.
        let gap = usize::from(number > 0 && !(is_continued && is_empty));
        let needed = shown_width(&word);
        if !is_empty && taken + gap + needed > width {
            lines.push(current.trim_end().to_owned());
            (current, taken, is_empty) = (" ".repeat(indent), indent, true);
            is_continued = true;
        } else {
            current.push_str(&" ".repeat(gap));
            taken += gap;
        }
        is_empty = is_empty && word.is_empty();
        current.push_str(&word);
        taken += needed;
    }
    lines.push(current.trim_end().to_owned());
}

/// A word of at most such a width. Codes that begin or end a colour stay.
fn cut_word(word: &str, most: usize) -> String {
    let plain: String = visible(word).collect();
    if plain.width() <= most {
        return word.to_owned();
    }
    let (before, after) = word.split_once(plain.as_str()).unwrap_or_default();
    format!("{before}{}{after}", cut_middle(&plain, most))
}

/// Where the words of a line begin: behind a label, which two spaces follow, or two columns in.
fn indent(line: &str) -> usize {
    let plain: String = visible(line).collect();
    let start = plain.len() - plain.trim_start().len();
    let label = plain[start..].find("  ").map(|end| start + end);
    let words = label.map(|end| {
        let spaces = plain[end..].len() - plain[end..].trim_start().len();
        plain[..end + spaces].width()
    });
    words.filter(|words| *words <= FURTHEST).unwrap_or(if start > 2 { start } else { start + 2 })
}

fn shown_width(text: &str) -> usize {
    visible(text).filter_map(UnicodeWidthChar::width).sum()
}

/// The letters that are seen: sequences that set a colour are not.
fn visible(text: &str) -> impl Iterator<Item = char> {
    let mut in_code = false;
    text.chars().filter(move |letter| {
        let is_code = in_code || *letter == '\u{1b}';
        in_code = is_code && *letter != 'm';
        !is_code
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_on_below_the_words_beside_its_label() {
        let text = "  verdict    B is better than A and so on\n  short\n";
        let expected = "  verdict    B is better\n             than A and so\n             on\n  \
                        short\n";
        assert_eq!(fitted(text, 26), expected);
    }

    #[test]
    fn colours_take_no_room_and_stay() {
        let text = "  verdict    \u{1b}[32mbetter\u{1b}[0m than before";
        assert_eq!(fitted(text, 31), text);
        let narrow = fitted(text, 26);
        assert!(narrow.contains("\u{1b}[32mbetter\u{1b}[0m than\n             before"), "{narrow}");
        let name = format!("\u{1b}[1m{}\u{1b}[0m", "a-long-name-".repeat(3));
        assert_eq!(fitted(&name, 9), "\u{1b}[1ma-l…me-\u{1b}[0m");
    }

    #[test]
    fn long_names_are_cut_and_paths_are_not() {
        let path = "logs/".to_owned() + &"x".repeat(40);
        let text = format!("  {} and {path}", "a-long-name-".repeat(4));
        let narrow = fitted(&text, 20);
        assert!(narrow.contains(&path), "{narrow}");
        let names = narrow.lines().filter(|line| !line.contains('/'));
        assert!(names.into_iter().all(|line| line.width() <= 20), "{narrow}");
    }
}
