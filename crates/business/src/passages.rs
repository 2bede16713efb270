//! Cuts a document into passages: long enough to be understood, short enough to be shown.

use super::content::DocumentBlock;

/// Paragraphs under one heading are put together until they are this long, in bytes.
const WANTED: usize = 700;

/// No passage is longer than this, in bytes, unless it has no place to be cut.
const LONGEST: usize = 1_400;

/// A piece of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The headings it stands under, the outermost first.
    pub headings: Vec<String>,
    /// What it says.
    pub text: String,
}

/// The passages of a document in order.
pub(super) fn cut(blocks: &[DocumentBlock]) -> Vec<Passage> {
    let mut cutter = Cutter::default();
    for block in blocks {
        match block {
            DocumentBlock::Heading(level, heading) => cutter.go_under(*level, heading),
            DocumentBlock::Paragraph(text) => {
                for piece in pieces(text) {
                    cutter.add(piece, "\n\n");
                }
            }
            DocumentBlock::Rows { header, rows } => {
                for row in rows {
                    if cutter.text.is_empty() {
                        // Every passage of a table repeats its header, or its cells would say
                        // nothing by themselves.
                        cutter.add(header, "");
                    }
                    cutter.add(row, "\n");
                }
            }
        }
    }
    cutter.finish();
    cutter.keep_unsaid(0);
    cutter.passages
}

#[derive(Default)]
struct Cutter {
    /// The headings that apply, with their levels.
    headings: Vec<(usize, String)>,
    /// Whether anything has been said under the last of them.
    is_said: bool,
    text: String,
    passages: Vec<Passage>,
}

impl Cutter {
    fn go_under(&mut self, level: usize, heading: &str) {
        self.finish();
        // Headings of one level without text between them, as on a title page, stay together, as
        // long as they are short: every passage below carries them.
        if !self.is_said
            && let Some((before, last)) = self.headings.last_mut()
            && *before == level
            && last.len() + heading.len() < LONGEST
        {
            last.push(' ');
            last.push_str(heading);
            return;
        }
        self.keep_unsaid(level);
        self.headings.retain(|(above, _)| *above < level);
        self.headings.push((level, heading.to_owned()));
        self.is_said = false;
    }

    /// Before headings from this level on are left: the last of them, if nothing was said under it,
    /// is all that is said there.
    fn keep_unsaid(&mut self, level: usize) {
        let unsaid = self.headings.pop_if(|(last, _)| !self.is_said && *last >= level);
        if let Some((_, heading)) = unsaid.filter(|(_, heading)| !heading.is_empty()) {
            self.text = heading;
            self.finish();
        }
    }

    fn add(&mut self, piece: &str, between: &str) {
        if !self.text.is_empty() && self.text.len() + piece.len() > LONGEST {
            self.finish();
        }
        if !self.text.is_empty() {
            self.text += between;
        }
        self.text += piece;
        self.is_said = true;
        if self.text.len() >= WANTED {
            self.finish();
        }
    }

    fn finish(&mut self) {
        if self.text.is_empty() {
            return;
        }
        let headings = self.headings.iter().map(|(_, heading)| heading.clone()).collect();
        let text = std::mem::take(&mut self.text);
        self.passages.push(Passage { headings, text });
    }
}

/// A paragraph in pieces that are not too long, cut where a sentence, a line or a word ends.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text.trim();
    while rest.len() > LONGEST {
        let window = &rest[..rest.floor_char_boundary(LONGEST)];
        let end = |mark: &str| window.rfind(mark).map(|at| at + mark.len());
        let places = [end(". "), end("\n"), end(" ")];
        // A sentence that ends early is passed over: a tiny piece would be a passage of its own.
        let good = places.into_iter().flatten().find(|at| *at >= LONGEST / 2);
        let (piece, after) = rest.split_at(good.unwrap_or(window.len()));
        pieces.push(piece.trim_end());
        rest = after.trim_start();
    }
    if !rest.is_empty() {
        pieces.push(rest);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::blocks;

    #[test]
    fn passages_carry_the_headings_they_stand_under() {
        let content = blocks::markdown(
            "# Lease\nBetween A and B.\n## Rent\nDue on the 1st.\n\nLate after 5 days.\n## Pets\nNone.\n",
        );
        let passages = cut(&content.blocks);
        let shown: Vec<(String, &str)> = passages
            .iter()
            .map(|passage| (passage.headings.join(" > "), passage.text.as_str()))
            .collect();
        let wanted = [
            ("Lease".to_owned(), "Between A and B."),
            ("Lease > Rent".to_owned(), "Due on the 1st.\n\nLate after 5 days."),
            ("Lease > Pets".to_owned(), "None."),
        ];
        assert_eq!(shown, wanted);
    }

    #[test]
    fn a_heading_with_nothing_under_it_is_found_by_its_own_words() {
        let shown = |text: &str| -> Vec<(String, String)> {
            let passages = cut(&blocks::markdown(text).blocks).into_iter();
            passages.map(|passage| (passage.headings.join(" > "), passage.text)).collect()
        };
        let own = |headings: &str, text: &str| (headings.to_owned(), text.to_owned());
        assert_eq!(shown("# No pets allowed\n"), [own("", "No pets allowed")]);
        assert_eq!(
            shown("# Lease\n## Pets\n### None allowed\n## Rent\nDue on the 1st.\n## Annex\n"),
            [
                own("Lease > Pets", "None allowed"),
                own("Lease > Rent", "Due on the 1st."),
                own("Lease", "Annex"),
            ]
        );
    }

    #[test]
    fn rows_stand_under_the_names_of_their_columns() {
        let rows: Vec<String> = (0..100).map(|at| format!("{at},{}\n", "x".repeat(40))).collect();
        let passages = cut(&blocks::table(&format!("number,text\n{}", rows.concat())).blocks);
        assert!(passages.len() > 4);
        assert!(passages.iter().all(|passage| passage.text.starts_with("number,text\n")));
    }

    #[test]
    fn many_headings_take_neither_long_nor_much() {
        let start = std::time::Instant::now();
        let text = "# x\n".repeat(400_000) + &"word\n\n# y\n\n".repeat(2_000);
        let passages = cut(&blocks::markdown(&text).blocks);
        let size: usize = passages.iter().flat_map(|p| &p.headings).map(String::len).sum();
        assert!(size < 10 << 20, "{size}");
        // Headings without text between them are joined, but not without end.
        let longest = passages.iter().flat_map(|p| &p.headings).map(String::len).max();
        assert!(longest.is_some_and(|longest| longest <= LONGEST), "{longest:?}");
        assert!(start.elapsed() < std::time::Duration::from_mins(1), "{:?}", start.elapsed());
    }

    proptest! {
        #[test]
        fn no_word_is_lost_and_no_passage_is_too_long(text in "[a-zé.\n ]{0,3000}") {
            let content = blocks::plain(&text);
            let passages = cut(&content.blocks);
            let words = |text: &str| {
                text.chars().filter(|character| !character.is_whitespace()).collect::<String>()
            };
            let all: String = passages.iter().map(|passage| words(&passage.text)).collect();
            prop_assert_eq!(all, words(&text));
            prop_assert!(passages.iter().all(|passage| passage.text.len() <= LONGEST));
        }
    }
}
