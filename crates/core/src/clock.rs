//! The time of a clock as a log keeps it.

use std::time::SystemTime;

use jiff::Timestamp;

/// The time that a clock shows. One beyond the year 9999, which no log can write, is the last
/// instant that one can; a clock that is so wrong must not end a run.
pub fn timestamp(time: SystemTime) -> Timestamp {
    let late = time > SystemTime::UNIX_EPOCH;
    let nearest = if late { Timestamp::MAX } else { Timestamp::MIN };
    Timestamp::try_from(time).unwrap_or(nearest)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_clock_may_show_any_time() {
        let epoch = SystemTime::UNIX_EPOCH;
        assert_eq!(timestamp(epoch), Timestamp::UNIX_EPOCH);
        for days in [1_u64, 20_000, 3_000_000, 4_000_000, 90_000_000_000] {
            let far = Duration::from_secs(days * 86_400);
            let (before, after) = (timestamp(epoch - far), timestamp(epoch + far));
            assert!(before < Timestamp::UNIX_EPOCH && after > Timestamp::UNIX_EPOCH);
            // What is kept can be written and read again.
            for time in [before, after] {
                assert_eq!(time.to_string().parse::<Timestamp>().unwrap(), time);
            }
        }
    }
}
