//! How thorough the tests are: a sample by the ordinary command, everything where the long form is asked for.

/// `long` where the environment variable `TOOLGAUGE_LONG_TESTS` is set, as `.ci/run` sets it; `short`
/// otherwise.
pub fn long_or<T>(long: T, short: T) -> T {
    if std::env::var_os("TOOLGAUGE_LONG_TESTS").is_some() { long } else { short }
}

/// All `items` in the long form, otherwise at most `most` of them, always the same ones: evenly spread,
/// with the first and the last.
pub fn some_of<T>(items: impl IntoIterator<Item = T>, most: usize) -> Vec<T> {
    let items: Vec<T> = items.into_iter().collect();
    let most = long_or(items.len(), most);
    spread(items, most)
}

fn spread<T>(items: Vec<T>, most: usize) -> Vec<T> {
    let (last, gaps) = (items.len().saturating_sub(1), most.saturating_sub(1).max(1));
    if items.len() <= most {
        return items;
    }
    let mut taken = (0..most).map(|n| n * last / gaps).peekable();
    let items = items.into_iter().enumerate();
    items.filter_map(|(at, item)| taken.next_if_eq(&at).map(|_| item)).collect()
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn a_sample_is_spread_evenly_from_the_first_to_the_last() {
        assert_eq!(spread((0..100).collect(), 4), [0, 33, 66, 99]);
        assert_eq!(spread((0..5).collect(), 4), [0, 1, 2, 4]);
        assert_eq!(spread((0..3).collect(), 4), [0, 1, 2]);
        assert_eq!(spread((0..9).collect(), 1), [0]);
        assert!(spread((0..9).collect(), 0).is_empty());
        assert!(spread(Vec::<u8>::new(), 4).is_empty());
    }
}
