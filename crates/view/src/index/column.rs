//! A value for each row, in pieces that copies share.

use std::ops::Index;
use std::sync::Arc;

/// How many rows a piece has.
pub(super) const PIECE: usize = 1 << 14;

/// A value for each row.
///
/// The columns of a log that grows are copied each time it is read on, so that pages can go on
/// with those from before. All but the last rows are in pieces that never change, of which a copy
/// takes no more than a pointer.
#[derive(Clone, Debug)]
pub(super) struct TrialColumn<T> {
    full: Vec<Arc<[T]>>,
    last: Vec<T>,
}

impl<T> Default for TrialColumn<T> {
    fn default() -> Self {
        Self { full: Vec::new(), last: Vec::new() }
    }
}

impl<T: Copy> TrialColumn<T> {
    pub(super) fn len(&self) -> usize {
        self.full.len() * PIECE + self.last.len()
    }

    pub(super) fn push(&mut self, value: T) {
        self.last.push(value);
        if self.last.len() == PIECE {
            self.full.push(std::mem::take(&mut self.last).into());
        }
    }

    /// Puts `value` into all rows that are missing before there are so many.
    pub(super) fn fill_up(&mut self, rows: usize, value: T) {
        while self.len() < rows {
            self.push(value);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = T> {
        self.full.iter().flat_map(|piece| piece.iter()).chain(&self.last).copied()
    }
}

impl<T> Index<usize> for TrialColumn<T> {
    type Output = T;

    fn index(&self, row: usize) -> &T {
        match self.full.get(row / PIECE) {
            Some(piece) => &piece[row % PIECE],
            None => &self.last[row - self.full.len() * PIECE],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_stays_as_it_was_while_the_column_grows() {
        let mut column = TrialColumn::default();
        (0..3 * PIECE + 5).for_each(|value| column.push(value));
        let copy = column.clone();
        column.push(7);
        column.fill_up(4 * PIECE + 1, 9);
        assert_eq!(copy.iter().collect::<Vec<_>>(), (0..3 * PIECE + 5).collect::<Vec<_>>());
        assert_eq!((copy.len(), column.len()), (3 * PIECE + 5, 4 * PIECE + 1));
        assert!((0..copy.len()).all(|row| copy[row] == row && column[row] == row));
        assert_eq!((column[copy.len()], column[4 * PIECE]), (7, 9));
        assert!(Arc::ptr_eq(&copy.full[2], &column.full[2]));
    }
}
