//! The words of some thousand trials, and the trials each is in, without a pointer for each.

use std::collections::HashMap;

use memchr::memmem::Finder;

/// How many trials a piece holds at most: few enough that the first ones are found soon.
pub(super) const PIECE_ROWS: usize = 2_048;

/// Words of a piece beyond this many bytes are left out, so that a hostile log stays bounded.
const MOST_OF_WORDS: usize = 16 << 20;

/// Takes in the words of trials, one trial after another.
#[derive(Debug, Default)]
pub(super) struct PieceBuilder {
    rows: HashMap<String, Vec<u16>>,
    bytes: usize,
}

impl PieceBuilder {
    /// Notes that a trial, counted from the first of the piece, holds a word.
    pub(super) fn add(&mut self, row: usize, word: &str) {
        let row = u16::try_from(row).expect("a piece has fewer than 65,536 trials");
        match self.rows.get_mut(word) {
            Some(rows) if rows.last() == Some(&row) => {}
            Some(rows) => rows.push(row),
            None if self.bytes >= MOST_OF_WORDS => {}
            None => {
                self.bytes += word.len();
                self.rows.insert(word.to_owned(), vec![row]);
            }
        }
    }

    /// The piece, whose first trial is in this row.
    pub(super) fn finish(self, first: usize) -> WordPiece {
        let mut words: Vec<(String, Vec<u16>)> = self.rows.into_iter().collect();
        words.sort_unstable();
        let mut piece = WordPiece { first, ..WordPiece::default() };
        for (word, rows) in words {
            piece.text.push_str(&word);
            // No word holds a line break, so that no search can match across two words.
            piece.text.push('\n');
            piece.text_ends.push(position(piece.text.len()));
            piece.rows.extend(rows);
            piece.row_ends.push(position(piece.rows.len()));
        }
        piece.text.shrink_to_fit();
        piece.rows.shrink_to_fit();
        piece
    }
}

/// The words of some trials.
#[derive(Debug, Default)]
pub(super) struct WordPiece {
    first: usize,
    /// All words, each with a line break behind it.
    text: String,
    text_ends: Vec<u32>,
    /// The trials of all words, counted from the first, those of one word behind the other's.
    rows: Vec<u16>,
    row_ends: Vec<u32>,
}

impl WordPiece {
    /// Marks the rows of the trials that hold a word with this part.
    pub(super) fn mark(&self, part: &Finder<'_>, found: &mut [bool]) {
        let mut from = 0;
        while let Some(at) = part.find(&self.text.as_bytes()[from..]) {
            let at = position(from + at);
            let word = self.text_ends.partition_point(|end| *end <= at);
            let start = word.checked_sub(1).map_or(0, |before| self.row_ends[before]);
            for row in &self.rows[start as usize..self.row_ends[word] as usize] {
                if let Some(mark) = found.get_mut(self.first + usize::from(*row)) {
                    *mark = true;
                }
            }
            // One match in a word is enough.
            from = self.text_ends[word] as usize;
        }
    }

    /// How many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        self.text.capacity()
            + (self.text_ends.capacity() + self.row_ends.capacity()) * size_of::<u32>()
            + self.rows.capacity() * size_of::<u16>()
    }
}

fn position(place: usize) -> u32 {
    u32::try_from(place).expect("a piece is bounded")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_word_finds_every_trial_that_holds_it() {
        let mut builder = PieceBuilder::default();
        for (row, words) in [(0, "kitchen lamp"), (1, "hall"), (2, "lamps hall hall")] {
            words.split(' ').for_each(|word| builder.add(row, word));
        }
        let piece = builder.finish(10);
        let found = |part: &str| {
            let mut rows = vec![false; 13];
            piece.mark(&Finder::new(part), &mut rows);
            (10..13).filter(|row| rows[*row]).collect::<Vec<usize>>()
        };
        assert_eq!(found("lamp"), [10, 12]);
        assert_eq!(found("lamps"), [12]);
        assert_eq!(found("hall"), [11, 12]);
        assert_eq!(found("a"), [10, 11, 12]);
        assert!(found("lk").is_empty());
    }
}
