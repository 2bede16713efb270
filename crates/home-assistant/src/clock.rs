//! The time in a home, which stands still: a trial must not depend on when it is run.

use jiff::civil::{self, Date, DateTime};
use jiff::tz::{self, Offset, TimeZone};
use jiff::{Span, Timestamp, Zoned};

/// A moment in a home's own time zone.
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    now: Zoned,
    zone: String,
}

impl Clock {
    /// The moment of the recordings: early on a Sunday in central Europe.
    pub fn recorded() -> Self {
        Self::at(civil::date(2026, 11, 15).at(2, 59, 57, 0), tz::offset(1), "CET")
    }

    /// The moment of the older benchmark: noon on the first of March 2026, with no zone given.
    pub fn classic() -> Self {
        Self::at(civil::date(2026, 3, 1).at(12, 0, 0, 0), Offset::UTC, "UTC")
    }

    /// A moment with its offset, and how people abbreviate its zone.
    ///
    /// Without an offset the moment is taken as UTC. Fails with what is wrong with the text.
    pub fn new(moment: &str, zone: Option<&str>) -> Result<Self, jiff::Error> {
        let (civil, offset) = split(moment)?;
        let abbreviation = abbreviation(offset);
        Ok(Self::at(civil, offset, zone.unwrap_or(&abbreviation)))
    }

    fn at(civil: DateTime, offset: Offset, zone: &str) -> Self {
        let instant = offset.to_timestamp(civil).unwrap_or(Timestamp::UNIX_EPOCH);
        Self { now: instant.to_zoned(TimeZone::fixed(offset)), zone: zone.to_owned() }
    }

    /// The same day at another time, which the text decides.
    pub(crate) fn varied(&self, text: &str) -> Self {
        let hash = text
            .bytes()
            .fold(0_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)));
        let midnight = self.now.start_of_day().unwrap_or_else(|_| self.now.clone());
        let now = midnight.saturating_add(Span::new().seconds(i64::from(hash % 86_400)));
        Self { now, zone: self.zone.clone() }
    }

    /// The date: `2026-11-15`.
    pub fn date(&self) -> String {
        self.now.strftime("%Y-%m-%d").to_string()
    }

    /// The time of day: `02:59:57`.
    pub fn time(&self) -> String {
        self.now.strftime("%H:%M:%S").to_string()
    }

    /// The day of the week in English: `Sunday`.
    pub fn weekday(&self) -> String {
        self.now.strftime("%A").to_string()
    }

    /// The abbreviation of the zone: `CET`.
    pub fn zone(&self) -> &str {
        &self.zone
    }

    pub(crate) fn today(&self) -> Date {
        self.now.date()
    }

    /// The moment at which a home's day starts that lies some days ahead.
    pub(crate) fn start_of_day(&self, days_ahead: i64) -> Timestamp {
        let day = self.today().checked_add(Span::new().days(days_ahead)).unwrap_or(Date::MAX);
        self.instant_of(day.to_datetime(jiff::civil::Time::midnight()))
    }

    pub(crate) fn timestamp(&self) -> Timestamp {
        self.now.timestamp()
    }

    /// A moment some microseconds after now, as Home Assistant writes the state of a button.
    pub(crate) fn stamp(&self, microseconds: u32, separator: char) -> String {
        let later = self.now.timestamp() + Span::new().microseconds(i64::from(microseconds));
        let civil = Offset::UTC.to_datetime(later);
        format!("{}{separator}{}+00:00", civil.date(), civil.strftime("%H:%M:%S%.6f"))
    }

    /// A moment written as Home Assistant writes times to a model: in local time, ISO 8601.
    pub(crate) fn local(&self, moment: &str) -> Option<String> {
        let (civil, offset) = split(moment).ok()?;
        let instant = offset.to_timestamp(civil).ok()?;
        let local = instant.to_zoned(self.now.time_zone().clone());
        let fraction = if local.subsec_nanosecond() == 0 { "" } else { "%.6f" };
        Some(local.strftime(&format!("%Y-%m-%dT%H:%M:%S{fraction}%:z")).to_string())
    }

    /// The instant of a date-time of this home, with or without an offset of its own.
    pub(crate) fn instant(&self, moment: &str) -> Option<Timestamp> {
        if let Ok(instant) = moment.parse::<Timestamp>() {
            return Some(instant);
        }
        moment.parse::<DateTime>().ok().map(|civil| self.instant_of(civil))
    }

    fn instant_of(&self, civil: DateTime) -> Timestamp {
        self.now.offset().to_timestamp(civil).unwrap_or(Timestamp::MAX)
    }
}

/// A date-time and its offset; UTC when it has none.
fn split(moment: &str) -> Result<(DateTime, Offset), jiff::Error> {
    // A civil time may carry an offset, but not the `Z` that stands for one.
    let civil = moment.strip_suffix(['Z', 'z']).unwrap_or(moment).parse::<DateTime>()?;
    match moment.parse::<Timestamp>() {
        Ok(instant) => {
            let seconds = civil.duration_since(Offset::UTC.to_datetime(instant)).as_secs();
            let seconds = i32::try_from(seconds).unwrap_or_default();
            Ok((civil, Offset::from_seconds(seconds)?))
        }
        Err(_) => Ok((civil, Offset::UTC)),
    }
}

fn abbreviation(offset: Offset) -> String {
    if offset == Offset::UTC { "UTC".to_owned() } else { format!("UTC{offset}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorded_moment_reads_as_recorded() {
        let clock = Clock::recorded();
        assert_eq!(
            (clock.date(), clock.time(), clock.zone(), clock.weekday()),
            ("2026-11-15".into(), "02:59:57".into(), "CET", "Sunday".into())
        );
        assert_eq!(clock.stamp(7, 'T'), "2026-11-15T01:59:57.000007+00:00");
    }

    #[test]
    fn times_are_told_in_local_time() {
        let clock = Clock::recorded();
        assert_eq!(
            clock.local("2026-11-15T10:00:00+00:00").as_deref(),
            Some("2026-11-15T11:00:00+01:00")
        );
        assert_eq!(clock.local("soon"), None);
    }

    #[test]
    fn a_moment_without_an_offset_is_utc() {
        assert_eq!(Clock::new("2026-03-01T12:00:00", None).unwrap().zone(), "UTC");
        assert!(Clock::new("noon", None).is_err());
    }
}
