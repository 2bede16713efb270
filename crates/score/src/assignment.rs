//! Optimal one-to-one pairing.

use pathfinding::kuhn_munkres::kuhn_munkres;
use pathfinding::matrix::Matrix;
use toolgauge_core::{ExpectedCall, ToolCall};

/// The largest number of steps (rows² × columns) an exact pairing may take: about a tenth of a
/// second. Beyond it, pairs that fit fully are made first and the rest is paired greedily.
const STEPS: usize = 125_000_000;

/// What a full credit weighs: 2⁴⁰, so that sums stay far from overflow.
const SCALE: f64 = 1_099_511_627_776.0;

/// The largest number of credits kept at once.
const CELLS: usize = 1_000_000;

/// How many credits are looked at to make pairs that fit: a few seconds, and enough for three
/// thousand of each in any order. Thousands that fit none of thousands would take minutes.
const LOOKS: usize = 10_000_000;

/// Which made call stands for each expected one, so that the sum of credits is as large as can
/// be. Only calls to the same tool are paired, so each tool's calls are paired among themselves.
pub(crate) fn pair_calls(
    expected: &[ExpectedCall],
    made: &[&ToolCall],
    credit: impl Fn(&ExpectedCall, &ToolCall) -> f64,
) -> Vec<Option<usize>> {
    if let ([expected], [made]) = (expected, made) {
        return vec![(expected.name == made.name).then_some(0)];
    }
    // Indices sorted by name bring each tool's calls together, in the order they were made.
    let mut rows: Vec<usize> = (0..expected.len()).collect();
    rows.sort_by_key(|row| expected[*row].name.as_str());
    let mut columns: Vec<usize> = (0..made.len()).collect();
    columns.sort_by_key(|column| made[*column].name.as_str());
    let mut columns = columns.as_slice();
    let mut pairs = vec![None; expected.len()];
    for rows in rows.chunk_by(|a, b| expected[*a].name == expected[*b].name) {
        let name = expected[rows[0]].name.as_str();
        let before = columns.partition_point(|column| made[*column].name.as_str() < name);
        let within = columns.partition_point(|column| made[*column].name.as_str() <= name);
        let group = &columns[before..within];
        columns = &columns[within..];
        let found = pair(rows.len(), group.len(), |row, column| {
            credit(&expected[rows[row]], made[group[column]])
        });
        for (row, column) in rows.iter().zip(found) {
            pairs[*row] = column.map(|column| group[column]);
        }
    }
    pairs
}

/// Pairs rows with columns so that the sum of credits is as large as can be.
///
/// Every row gets a column, pairs without credit included, unless there are fewer columns than
/// rows. Up to 500 by 500 the result is optimal.
pub(crate) fn pair(
    rows: usize,
    columns: usize,
    credit: impl Fn(usize, usize) -> f64,
) -> Vec<Option<usize>> {
    let mut pairs = vec![None; rows];
    if columns == 0 || (rows, columns) == (1, 1) {
        // Nothing to choose; by far the most common case.
        pairs.fill((columns > 0).then_some(0));
        return pairs;
    }
    let all_rows: Vec<usize> = (0..rows).collect();
    let all_columns: Vec<usize> = (0..columns).collect();
    if is_small(rows, columns) {
        pair_exactly(&all_rows, &all_columns, &credit, &mut pairs);
        return pairs;
    }
    // Full credit cannot be bettered, so such pairs are given away first and leave a smaller
    // problem.
    let free = pair_first_fit(&all_rows, all_columns, &credit, &mut pairs, 1.0);
    let open: Vec<usize> = all_rows.into_iter().filter(|row| pairs[*row].is_none()).collect();
    if is_small(open.len(), free.len()) {
        pair_exactly(&open, &free, &credit, &mut pairs);
    } else {
        pair_first_fit(&open, free, &credit, &mut pairs, 0.0);
    }
    pairs
}

fn is_small(rows: usize, columns: usize) -> bool {
    let (few, many) = (rows.min(columns), rows.max(columns));
    let cells = few.saturating_mul(many);
    cells <= CELLS && cells.saturating_mul(few) <= STEPS
}

/// The exact pairing, by whole-number weights: the algorithm must not meet rounding.
fn pair_exactly(
    rows: &[usize],
    columns: &[usize],
    credit: &impl Fn(usize, usize) -> f64,
    pairs: &mut [Option<usize>],
) {
    #[expect(clippy::cast_possible_truncation, reason = "a credit is between 0 and 1")]
    let weight =
        |row: usize, column: usize| (credit(rows[row], columns[column]) * SCALE).round() as i64;
    if rows.is_empty() || columns.is_empty() {
        return;
    }
    // The algorithm wants no more rows than columns.
    if rows.len() <= columns.len() {
        let weights = Matrix::from_fn(rows.len(), columns.len(), |(r, c)| weight(r, c));
        for (row, column) in kuhn_munkres(&weights).1.into_iter().enumerate() {
            pairs[rows[row]] = Some(columns[column]);
        }
    } else {
        let weights = Matrix::from_fn(columns.len(), rows.len(), |(c, r)| weight(r, c));
        for (column, row) in kuhn_munkres(&weights).1.into_iter().enumerate() {
            pairs[rows[row]] = Some(columns[column]);
        }
    }
}

/// Gives each row the first free column of at least this credit, looking onwards from where the
/// row before found its own, so that two long lists in the same order take no time. Rows that
/// would take more looks than [`LOOKS`] are left out. Returns the columns that stay free.
fn pair_first_fit(
    rows: &[usize],
    mut free: Vec<usize>,
    credit: &impl Fn(usize, usize) -> f64,
    pairs: &mut [Option<usize>],
    least: f64,
) -> Vec<usize> {
    let (mut start, mut left) = (0, LOOKS);
    for &row in rows {
        let fits = |at: &usize| {
            left = left.saturating_sub(1);
            // The search ends at once when the looks are used up, and the check below discards what
            // it found.
            left == 0 || credit(row, free[*at]) >= least
        };
        let Some(at) = (start..free.len()).chain(0..start.min(free.len())).find(fits) else {
            continue;
        };
        if left == 0 {
            break;
        }
        pairs[row] = Some(free.remove(at));
        start = at;
    }
    free
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// The best sum there is, by trying everything.
    fn best(credits: &[Vec<f64>], row: usize, used: u32) -> f64 {
        if row == credits.len() {
            return 0.0;
        }
        let skip = best(credits, row + 1, used);
        let free = (0..credits[row].len()).filter(|column| used & (1 << column) == 0);
        let take = free.map(|c| credits[row][c] + best(credits, row + 1, used | 1 << c));
        take.fold(skip, f64::max)
    }

    proptest! {
        #[test]
        fn no_other_pairing_has_a_larger_sum(
            credits in (1_usize..5).prop_flat_map(|n| vec(vec(0.0..=1.0, n), 1..5)),
        ) {
            let pairs = pair(credits.len(), credits[0].len(), |r, c| credits[r][c]);
            let mut used: Vec<usize> = pairs.iter().copied().flatten().collect();
            let sum: f64 = credits.iter().zip(&pairs).filter_map(|(row, at)| Some(row[(*at)?])).sum();
            prop_assert!((sum - best(&credits, 0, 0)).abs() < 1e-9);
            used.sort_unstable();
            used.dedup();
            prop_assert_eq!(used.len(), credits.len().min(credits[0].len()));
        }
    }

    #[test]
    fn the_best_sum_wins_over_the_best_first_choice() {
        let credits = [[1.0, 0.9], [0.9, 0.0]];
        assert_eq!(pair(2, 2, |r, c| credits[r][c]), [Some(1), Some(0)]);
    }

    #[test]
    fn more_rows_than_columns_and_none_at_all_are_fine() {
        let credits = [0.1, 0.9, 0.5];
        assert_eq!(pair(3, 1, |r, _| credits[r]), [None, Some(0), None]);
        assert_eq!(pair(1, 3, |_, c| credits[c]), [Some(1)]);
        assert_eq!(pair(2, 0, |_, _| 1.0), [None, None]);
        assert_eq!(pair(0, 2, |_, _| 1.0), []);
    }

    #[test]
    fn thousands_are_paired_by_what_fits() {
        let pairs = pair(3000, 3000, |r, c| if r == c { 1.0 } else { 0.0 });
        assert!(pairs.into_iter().enumerate().all(|(row, column)| column == Some(row)));
    }

    #[test]
    fn what_an_exact_pairing_would_take_too_long_for_is_not_paired_exactly() {
        assert!(is_small(500, 500) && is_small(10, 50_000));
        assert!(!is_small(300, 40_000) && !is_small(2_000, 2_000) && !is_small(40_000, 300));
    }

    #[test]
    fn thousands_that_fit_nothing_are_paired_without_looking_at_all() {
        let looks = std::cell::Cell::new(0);
        let pairs = pair(3_000, 20_000, |_, _| {
            looks.set(looks.get() + 1);
            0.5
        });
        assert!(pairs.iter().all(Option::is_some));
        assert!(looks.get() <= LOOKS + 3_000, "{} credits were looked at", looks.get());
    }
}
