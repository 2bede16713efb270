//! Reads what a run was asked for from the head of its log, whichever version wrote it.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use toolgauge_core::{Run, RunEntry};

use super::Invocation;
use crate::error::{EngineError, UnreadableHead};
use crate::settings::{Settings, current_name};

/// What an earlier run was asked for, as far as this version can read its log.
#[derive(Clone, Debug)]
pub struct RecordedInvocation {
    /// What was asked for; the defaults stand for what is missing or was passed over.
    pub invocation: Invocation,
    /// What the log says and this version cannot use.
    pub passed_over: Vec<PassedOver>,
}

/// An entry in the head of a log that this version cannot use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedOver {
    /// The section of the settings, such as `limits`; none for an entry beside the settings.
    pub section: Option<String>,
    /// The name of the entry.
    pub name: String,
    /// Why it cannot be used.
    pub why: String,
    /// Whether trials that run without it could be asked for something else than those before.
    pub changes_trials: bool,
}

impl std::fmt::Display for PassedOver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.section {
            Some(section) => write!(f, "`{section}.{}` ({})", self.name, self.why),
            None => write!(f, "`{}` ({})", self.name, self.why),
        }
    }
}

impl RecordedInvocation {
    /// Reads the head of a log. Settings that are missing get their defaults, those that cannot be
    /// used are passed over and named.
    pub fn read(run: &Run) -> Result<Self, UnreadableHead> {
        if !run.settings.contains_key("suite") {
            return Err(UnreadableHead::NotStated);
        }
        let mut passed_over = Vec::new();
        let settings = read_settings(run.settings.get("settings"), &mut passed_over)?;
        // Entries are added one by one to something that can be read, so a bad one is known by its
        // name.
        let mut readable = json!({"suite": "", "model": "", "settings": settings});
        for (name, value) in &run.settings {
            if name == "settings" || !RunEntry::is_asked_for(name) {
                continue;
            }
            let Err(error) = try_entry::<Invocation>(&mut readable, &[name], value) else {
                continue;
            };
            let is_unknown = is_unknown(&error);
            // An entry of a newer version can be left out. A known one that cannot be read changes
            // the run.
            if !is_unknown && name != RunEntry::Matrix.name() {
                let why = error.to_string();
                return Err(UnreadableHead::Entry { name: name.clone(), why });
            }
            passed_over.push(PassedOver {
                section: None,
                name: name.clone(),
                why: reason(&error),
                changes_trials: false,
            });
        }
        let invocation = Invocation::deserialize(&readable).map_err(|error| {
            UnreadableHead::Entry { name: "settings".to_owned(), why: error.to_string() }
        })?;
        if invocation.model.is_empty() {
            return Err(UnreadableHead::Entry {
                name: "model".into(),
                why: "it is missing".into(),
            });
        }
        Ok(Self { invocation, passed_over })
    }
}

/// Lays the settings of a log over the defaults, one by one, so that one that cannot be used takes
/// no other with it.
fn read_settings(
    logged: Option<&Value>,
    passed_over: &mut Vec<PassedOver>,
) -> Result<Value, UnreadableHead> {
    let unreadable = |why: String| UnreadableHead::Entry { name: "settings".to_owned(), why };
    let defaults = Settings::from_layers(&[]);
    let defaults = defaults.map_err(|error: EngineError| unreadable(error.to_string()))?;
    let mut settings = serde_json::to_value(defaults).map_err(|e| unreadable(e.to_string()))?;
    let nothing = Map::new();
    let sections = match logged {
        Some(Value::Object(sections)) => sections,
        Some(other) => return Err(unreadable(format!("`{other}` is not a table"))),
        None => &nothing,
    };
    for (section, values) in sections {
        let Value::Object(values) = values else {
            let why = format!("`{values}` is not a table");
            return Err(UnreadableHead::Entry { name: format!("settings.{section}"), why });
        };
        if settings.get(section).is_none() {
            passed_over.push(PassedOver {
                section: None,
                name: section.clone(),
                why: UNKNOWN.to_owned(),
                changes_trials: false,
            });
            continue;
        }
        for (name, value) in values {
            let name = current_name(name, |name| settings[section].get(name).is_some()).to_owned();
            if let Err(error) = try_entry::<Settings>(&mut settings, &[section, &name], value) {
                passed_over.push(PassedOver {
                    section: Some(section.clone()),
                    why: reason(&error),
                    changes_trials: changes_trials(section, &name, is_unknown(&error)),
                    name,
                });
            }
        }
    }
    Ok(settings)
}

/// Puts a value into `whole` if a `T` can still be read from it then.
fn try_entry<T: for<'de> Deserialize<'de>>(
    whole: &mut Value,
    path: &[&str],
    value: &Value,
) -> Result<(), serde_json::Error> {
    // `null` is how a setting that is not given may be written.
    if value.is_null() {
        return Ok(());
    }
    let mut with = whole.clone();
    let place = path.iter().fold(&mut with, |place, key| &mut place[*key]);
    *place = value.clone();
    T::deserialize(&with)?;
    *whole = with;
    Ok(())
}

const UNKNOWN: &str = "this version does not know it";

/// Serde names an unknown field by its message alone.
fn is_unknown(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("unknown field")
}

fn reason(error: &serde_json::Error) -> String {
    if is_unknown(error) { UNKNOWN.to_owned() } else { error.to_string() }
}

/// Whether the rest of a run could be asked for something else than its beginning when a setting is
/// passed over.
fn changes_trials(section: &str, name: &str, is_unknown: bool) -> bool {
    if section == "sampling" {
        return true;
    }
    let harmless = match section {
        "limits" => name != "max_turns",
        "grades" | "price" => true,
        "run" => ["log_dir", "concurrency", "model"].contains(&name),
        "server" => ["keep_wire", "max_response_bytes"].contains(&name),
        _ => false,
    };
    // A setting that nobody knows here is new: the warning says what the run does without.
    !is_unknown && !harmless
}

#[cfg(test)]
mod tests {
    use toolgauge_core::{CellName, Fix, MatrixCell};

    use super::*;

    fn run(settings: &Value) -> Run {
        serde_json::from_value(json!({
            "id": "r", "created": "2026-01-01T00:00:00Z", "cases": [], "trials": 1, "scorers": [],
            "suite": {"name": "s", "hash": "h", "size": 0},
            "subject": {"name": "m", "provider": "p"},
            "settings": settings, "program": {"version": "1", "revision": "r"},
        }))
        .unwrap()
    }

    fn read(settings: &Value) -> RecordedInvocation {
        let head = json!({"suite": "s", "model": "m", "settings": settings, "tiers": {}});
        RecordedInvocation::read(&run(&head)).unwrap()
    }

    #[test]
    fn what_a_run_is_asked_for_is_read_from_its_head_by_others() {
        let cell =
            CellName { model: "m".into(), tier: Some("small".into()), ..CellName::default() };
        let matrix = Some(MatrixCell { name: "all".into(), cell });
        let asked = read(&json!({})).invocation;
        let asked = Invocation { fixes: vec![Fix::Text], matrix: matrix.clone(), ..asked };
        let mut head = run(&json!({}));
        head.settings = asked.for_log().unwrap();
        assert_eq!(head.fixes(), [Fix::Text]);
        assert_eq!(head.matrix_cell(), matrix);
    }

    #[test]
    fn what_an_old_log_lacks_has_its_default() {
        let recorded = read(&json!({"limits": {"retries": 2}}));
        let limits = &recorded.invocation.settings.limits;
        let usual = Settings::from_layers(&[]).unwrap().limits;
        assert_eq!(limits.retries, 2);
        assert_eq!(limits.same_failures, usual.same_failures);
        assert_eq!(limits.idle_timeout.duration(), usual.idle_timeout.duration());
        assert_eq!(recorded.passed_over, []);
    }

    #[test]
    fn what_cannot_be_used_is_named_and_takes_nothing_with_it() {
        let recorded = read(&json!({
            "limits": {"retries": 2, "burst": 9, "patience": "long"},
            "run": {"trials": 3},
            "weather": {"rain": true},
        }));
        assert_eq!(recorded.invocation.settings.limits.retries, 2);
        assert_eq!(recorded.invocation.settings.run.trials, 3);
        let told: Vec<String> = recorded.passed_over.iter().map(ToString::to_string).collect();
        assert_eq!(told[0], "`limits.burst` (this version does not know it)");
        assert!(told[1].starts_with("`limits.patience` (invalid type: string"), "{}", told[1]);
        assert_eq!(told[2], "`weather` (this version does not know it)");
        assert!(recorded.passed_over.iter().all(|entry| !entry.changes_trials));
    }

    #[test]
    fn what_a_run_finds_out_and_what_had_another_name_is_not_passed_over() {
        let recorded = RecordedInvocation::read(&run(&json!({
            "suite": "s", "model": "m", "settings": {"grades": {"pass": 0.9, "warn": 0.3}},
            "latency_budget": 5, "prompt_reads": {"anew": 1, "least": 1}, "scorer_options": [],
        })))
        .unwrap();
        assert_eq!(recorded.passed_over, []);
        assert!((recorded.invocation.settings.grades.partial - 0.3).abs() < 1e-12);
    }

    #[test]
    fn what_trials_hang_on_is_told_apart() {
        let recorded = read(&json!({
            "sampling": {"min_p": 0.1, "temperature": "hot"},
            "server": {"protocol": "grpc", "keep_wire": 7},
        }));
        let changes: Vec<(&str, bool)> =
            recorded.passed_over.iter().map(|e| (&*e.name, e.changes_trials)).collect();
        let expected =
            [("min_p", true), ("temperature", true), ("protocol", true), ("keep_wire", false)];
        assert_eq!(changes, expected);
    }

    #[test]
    fn an_entry_that_no_run_can_do_without_is_named() {
        let head = |head: Value| RecordedInvocation::read(&run(&head)).unwrap_err().to_string();
        assert_eq!(head(json!({"temperature": 1})), "it does not say how it was started");
        let why = head(json!({"suite": "s", "model": "m", "settings": {}, "world": 7}));
        assert!(why.starts_with("`world` in its head cannot be read: invalid type"), "{why}");
        let why = head(json!({"suite": "s", "settings": {}}));
        assert_eq!(why, "`model` in its head cannot be read: it is missing");
        let why = head(json!({"suite": "s", "model": "m", "settings": {"limits": 3}}));
        assert_eq!(why, "`settings.limits` in its head cannot be read: `3` is not a table");
    }
}
