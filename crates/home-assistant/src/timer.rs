//! A timer of a home.

use serde_json::{Value, json};

use super::inventory::casefold;

/// A timer. The clock stands still, so a timer only changes when it is told to.
#[derive(Clone, Debug)]
pub(crate) struct Timer {
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    pub(crate) start: [Option<i64>; 3],
    pub(crate) seconds: i64,
    pub(crate) is_active: bool,
    pub(crate) device: Option<String>,
    pub(crate) area: Option<usize>,
    pub(crate) floor: Option<usize>,
    pub(crate) command: Option<String>,
}

impl Timer {
    /// What two timers must share to be the same in the end.
    pub(crate) fn end_state(&self) -> Value {
        json!({
            "name": self.name.as_deref().map(normalized),
            "seconds": self.seconds,
            "is_active": self.is_active,
            "command": self.command,
            "device": self.device,
        })
    }

    /// What is told of it when somebody asks.
    pub(crate) fn status(&self) -> Value {
        let (minutes, seconds) = (self.seconds / 60, self.seconds % 60);
        let (hours, minutes) = (minutes / 60, minutes % 60);
        let [rounded_hours, rounded_minutes, rounded_seconds] = rounded(hours, minutes, seconds);
        json!({
            "id": self.id,
            "name": self.name.as_deref().unwrap_or_default(),
            "device_id": self.device.as_deref().unwrap_or_default(),
            "language": "en",
            "start_hours": self.start[0].unwrap_or_default(),
            "start_minutes": self.start[1].unwrap_or_default(),
            "start_seconds": self.start[2].unwrap_or_default(),
            "is_active": self.is_active,
            "hours_left": hours,
            "minutes_left": minutes,
            "seconds_left": seconds,
            "rounded_hours_left": rounded_hours,
            "rounded_minutes_left": rounded_minutes,
            "rounded_seconds_left": rounded_seconds,
            "total_seconds_left": self.seconds,
        })
    }
}

/// A name for comparison.
pub(crate) fn normalized(name: &str) -> String {
    casefold(name.trim())
}

/// A time as people would tell it: half hours above an hour, half minutes above a minute, tens of
/// seconds below.
fn rounded(hours: i64, minutes: i64, seconds: i64) -> [i64; 3] {
    if hours > 0 {
        match minutes {
            46.. => [hours + 1, 0, 0],
            ..15 => [hours, 0, 0],
            _ => [hours, 30, 0],
        }
    } else if minutes > 0 {
        match seconds {
            46.. => [0, minutes + 1, 0],
            ..15 => [0, minutes, 0],
            _ => [0, minutes, 30],
        }
    } else {
        match seconds {
            51.. => [0, 1, 0],
            ..10 => [0, 0, seconds],
            _ => [0, 0, seconds - seconds % 10],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn times_are_rounded_as_people_tell_them() {
        assert_eq!(rounded(1, 50, 30), [2, 0, 0]);
        assert_eq!(rounded(1, 10, 30), [1, 0, 0]);
        assert_eq!(rounded(1, 25, 30), [1, 30, 0]);
        assert_eq!(rounded(0, 1, 50), [0, 2, 0]);
        assert_eq!(rounded(0, 5, 30), [0, 5, 30]);
        assert_eq!(rounded(0, 0, 55), [0, 1, 0]);
        assert_eq!(rounded(0, 0, 25), [0, 0, 20]);
        assert_eq!(rounded(0, 0, 9), [0, 0, 9]);
    }
}
