//! Many short texts in a few long ones: no allocation and no pointer for each.

use std::sync::Arc;

use memchr::memmem::Finder;

use super::TrialRow;
use super::column::PIECE;

/// A text for each row, in pieces that copies share, as those of a column.
#[derive(Clone, Debug, Default)]
pub(super) struct TextColumn {
    full: Vec<Arc<TextsPiece>>,
    last: TextsPiece,
}

/// Some texts, one behind another.
#[derive(Clone, Debug, Default)]
struct TextsPiece {
    all: String,
    ends: Vec<usize>,
}

impl TextsPiece {
    fn get(&self, place: usize) -> &str {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start..self.ends[place]]
    }

    /// The places of a text that `finder` looks for. Comparing every text with it would take far
    /// longer.
    fn find_all(&self, text: &str, finder: &Finder<'_>) -> Vec<usize> {
        let mut places = Vec::new();
        let mut from = 0;
        while let Some(found) = self.all.as_bytes().get(from..).and_then(|rest| finder.find(rest)) {
            let start = from + found;
            // The text in which the match begins; it may be a part of it, or run into the next.
            let place = self.ends.partition_point(|end| *end <= start);
            let Some(end) = self.ends.get(place) else { break };
            if self.get(place) == text {
                places.push(place);
            }
            from = *end;
        }
        places
    }

    fn bytes(&self) -> usize {
        self.all.capacity() + self.ends.capacity() * size_of::<usize>()
    }
}

impl TextColumn {
    pub(super) fn push(&mut self, text: &str) {
        self.push_parts(&[text]);
    }

    /// Adds several parts as one text.
    pub(super) fn push_parts(&mut self, parts: &[&str]) {
        self.last.all.extend(parts.iter().copied());
        self.last.ends.push(self.last.all.len());
        if self.last.ends.len() == PIECE {
            let mut full = std::mem::take(&mut self.last);
            full.all.shrink_to_fit();
            self.full.push(Arc::new(full));
        }
    }

    pub(super) fn get(&self, place: usize) -> &str {
        match self.full.get(place / PIECE) {
            Some(piece) => piece.get(place % PIECE),
            None => self.last.get(place - self.full.len() * PIECE),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.full.iter().map(|piece| piece.bytes()).sum::<usize>() + self.last.bytes()
    }

    /// The places of a text.
    pub(super) fn find_all(&self, text: &str) -> impl Iterator<Item = TrialRow> {
        let finder = Finder::new(text);
        let pieces = self.full.iter().map(|piece| &**piece).chain([&self.last]).enumerate();
        pieces.flat_map(move |(number, piece)| {
            let places = piece.find_all(text, &finder);
            places.into_iter().map(move |place| row(number * PIECE + place))
        })
    }

    /// Whether the text at this place contains another.
    pub(super) fn contains(&self, place: usize, part: &Finder<'_>) -> bool {
        part.find(self.get(place).as_bytes()).is_some()
    }
}

/// A place as the number of a row.
pub(super) fn row(place: usize) -> TrialRow {
    TrialRow::try_from(place).expect("a log has fewer than four billion trials")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_across_two_texts_hides_no_other() {
        let mut texts = TextColumn::default();
        for text in ["ba", "ab", "ab", "", "abab", "ab"] {
            texts.push(text);
        }
        assert_eq!(texts.find_all("ab").collect::<Vec<_>>(), [1, 2, 5]);
        assert_eq!(texts.find_all("abab").collect::<Vec<_>>(), [4]);
        assert_eq!(texts.find_all("aab").count(), 0);
    }

    #[test]
    fn texts_are_found_in_every_piece() {
        let mut texts = TextColumn::default();
        for number in 0..2 * PIECE + 3 {
            texts.push_parts(&["no. ", &(number % PIECE).to_string()]);
        }
        let copy = texts.clone();
        texts.push("no. 2");
        assert_eq!(texts.get(PIECE + 7), "no. 7");
        assert_eq!(
            copy.find_all("no. 2").collect::<Vec<_>>(),
            [2, row(PIECE) + 2, row(2 * PIECE) + 2]
        );
        assert_eq!(texts.find_all("no. 2").count(), 4);
        assert_eq!(texts.find_all("o. 2").count(), 0, "a part of a text is not the text");
        assert!(texts.contains(2 * PIECE + 3, &Finder::new("o. 2")));
    }
}
