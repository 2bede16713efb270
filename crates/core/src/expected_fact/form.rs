//! How expected facts are written.

use serde_json::{Map, Value, json};

use super::ExpectedFact;
use super::candidates::{Candidates, Members, names, written_names};

/// The keys that may stand beside the one that names the type.
fn details(kind: &str) -> &'static [&'static str] {
    match kind {
        "truth" => &["yes", "no"],
        "number" => &["unit", "tolerance", "about", "not"],
        "date" => &["about", "not"],
        "time" => &["tolerance"],
        "one" | "set" => &["of"],
        "phrase" => &["not"],
        _ => &[],
    }
}

/// The keys of an object, taken out one by one.
struct Keys(Map<String, Value>);

impl Keys {
    fn take(&mut self, key: &str) -> Option<Value> {
        self.0.shift_remove(key).filter(|value| !value.is_null())
    }

    fn texts(&mut self, key: &str) -> Result<Vec<String>, String> {
        match self.take(key) {
            None => Ok(Vec::new()),
            Some(value) => {
                names(&value).ok_or_else(|| format!("`{key}` is a text, or a list of texts"))
            }
        }
    }

    fn amount(&mut self, key: &str) -> Result<f64, String> {
        match self.take(key).map(|value| value.as_f64()) {
            None => Ok(0.0),
            Some(Some(amount)) if amount >= 0.0 => Ok(amount),
            Some(_) => Err(format!("`{key}` is a number that is not negative")),
        }
    }
}

impl TryFrom<Value> for ExpectedFact {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let Value::Object(mut object) = value else {
            return Err(format!("a fact is a mapping with one of {}", types()));
        };
        // Not among `TYPES`: each way inside has a type of its own.
        if let Some(ways) = object.shift_remove("any_of") {
            return any_of(ways, &object);
        }
        let given: Vec<&str> =
            Self::TYPES.into_iter().filter(|key| object.contains_key(*key)).collect();
        // Two types in one object would leave open whether both or either is meant.
        let kind = match given[..] {
            [kind] => kind,
            [] => return Err(format!("a fact has one of {}", types())),
            [one, other, ..] => {
                return Err(format!("`{one}` and `{other}` are two facts; write each on its own"));
            }
        };
        let allowed = details(kind);
        let foreign = |key: &&String| *key != kind && !allowed.contains(&key.as_str());
        if let Some(key) = object.keys().find(foreign) {
            return Err(format!("`{key}` does not go with `{kind}`"));
        }
        let value = object.shift_remove(kind).unwrap_or_default();
        read(kind, value, Keys(object))
    }
}

fn types() -> String {
    ExpectedFact::TYPES.map(|name| format!("`{name}`")).join(", ")
}

fn any_of(ways: Value, rest: &Map<String, Value>) -> Result<ExpectedFact, String> {
    match ways {
        Value::Array(ways) if ways.len() > 1 && rest.is_empty() => {
            let ways: Result<_, String> = ways.into_iter().map(ExpectedFact::try_from).collect();
            ways.map(ExpectedFact::AnyOf)
        }
        _ => Err("`any_of` is a list of two or more facts, and stands alone".to_owned()),
    }
}

fn read(kind: &str, value: Value, mut keys: Keys) -> Result<ExpectedFact, String> {
    let of = keys.take("of");
    Ok(match kind {
        "truth" => ExpectedFact::Truth {
            truth: truth(&value)?,
            yes: keys.texts("yes")?,
            no: keys.texts("no")?,
        },
        "number" => ExpectedFact::Number {
            number: value.as_f64().ok_or("`number` is a number")?,
            unit: keys.texts("unit")?.pop(),
            tolerance: keys.amount("tolerance")?,
            about: keys.texts("about")?,
            not: numbers(keys.take("not"))?,
        },
        "date" => {
            let not = keys.texts("not")?;
            not.iter().try_for_each(|date| checked_date(date))?;
            // A bare year is a number in YAML; `names` takes both.
            let date = names(&value).and_then(|mut dates| dates.pop()).unwrap_or_default();
            checked_date(&date)?;
            ExpectedFact::Date { date, about: keys.texts("about")?, not }
        }
        "time" => ExpectedFact::Time { time: time(value)?, tolerance: keys.amount("tolerance")? },
        "one" => ExpectedFact::One {
            one: names(&value).ok_or("`one` is a name, or all names of one thing")?,
            of: Candidates::from_value(of)?,
        },
        "set" => {
            ExpectedFact::Set { set: Members::from_value(value)?, of: Candidates::from_value(of)? }
        }
        "phrase" => {
            let not = keys.texts("not")?;
            // An empty list demands nothing and only forbids.
            let only_forbids = value.as_array().is_some_and(Vec::is_empty) && !not.is_empty();
            let phrase = if only_forbids { Some(Vec::new()) } else { names(&value) };
            let phrase = phrase.ok_or("`phrase` is a text, or a list of texts")?;
            ExpectedFact::Phrase { phrase, not }
        }
        "refusal" => ExpectedFact::Refusal { about: subject(kind, &value)? },
        "unknown" => ExpectedFact::Unknown { about: subject(kind, &value)? },
        "question" => ExpectedFact::Question { about: subject(kind, &value)? },
        _ if value == Value::Bool(true) => ExpectedFact::SmallTalk,
        _ => return Err(format!("`{kind}` is `true`")),
    })
}

/// YAML of another age reads `yes` as true; both are taken.
fn truth(value: &Value) -> Result<bool, String> {
    match value {
        Value::Bool(truth) => Ok(*truth),
        Value::String(word) if word == "yes" => Ok(true),
        Value::String(word) if word == "no" => Ok(false),
        _ => Err("`truth` is `yes` or `no`".to_owned()),
    }
}

fn numbers(value: Option<Value>) -> Result<Vec<f64>, String> {
    let items = match value {
        None => return Ok(Vec::new()),
        Some(Value::Array(items)) => items,
        Some(one) => vec![one],
    };
    let numbers: Option<Vec<f64>> = items.iter().map(Value::as_f64).collect();
    numbers.ok_or_else(|| "`not` is a number, or a list of numbers".to_owned())
}

/// `true`, or the words of which one must be there.
fn subject(kind: &str, value: &Value) -> Result<Vec<String>, String> {
    match value {
        Value::Bool(true) => Ok(Vec::new()),
        other => names(other).ok_or_else(|| format!("`{kind}` is `true`, or words it speaks of")),
    }
}

fn checked_date(date: &str) -> Result<(), String> {
    let parts: Vec<&str> = date.split('-').collect();
    let digits = |part: &str, length: usize, range: std::ops::RangeInclusive<u32>| {
        part.len() == length && part.parse().is_ok_and(|number| range.contains(&number))
    };
    let is_date = digits(parts[0], 4, 0..=9999)
        && parts.get(1).is_none_or(|month| digits(month, 2, 1..=12))
        && parts.get(2).is_none_or(|day| digits(day, 2, 1..=31))
        && parts.len() <= 3;
    if is_date {
        Ok(())
    } else {
        Err(format!("`{date}` is no date such as `2026-03-05` or `2026-03`"))
    }
}

fn time(value: Value) -> Result<String, String> {
    let form = || "`time` is a time of day such as `\"18:42\"`".to_owned();
    let Value::String(time) = value else { return Err(form()) };
    let (hour, minute) = time.split_once(':').ok_or_else(form)?;
    let is_time = hour.parse().is_ok_and(|hour: u32| hour < 24)
        && minute.len() == 2
        && minute.parse().is_ok_and(|minute: u32| minute < 60);
    if is_time { Ok(time) } else { Err(form()) }
}

impl From<ExpectedFact> for Value {
    fn from(fact: ExpectedFact) -> Self {
        let mut object = Map::new();
        let kind = fact.type_name();
        let about = |about: &[String]| {
            if about.is_empty() { json!(true) } else { written_names(about) }
        };
        match fact {
            ExpectedFact::Truth { truth, yes, no } => {
                object.insert(kind.into(), json!(truth));
                put(&mut object, "yes", &yes);
                put(&mut object, "no", &no);
            }
            ExpectedFact::Number { number, unit, tolerance, about, not } => {
                object.insert(kind.into(), json!(number));
                object.extend(unit.map(|unit| ("unit".to_owned(), json!(unit))));
                put_amount(&mut object, tolerance);
                put(&mut object, "about", &about);
                if !not.is_empty() {
                    object.insert("not".into(), json!(not));
                }
            }
            ExpectedFact::Date { date, about, not } => {
                object.insert(kind.into(), json!(date));
                put(&mut object, "about", &about);
                put(&mut object, "not", &not);
            }
            ExpectedFact::Time { time, tolerance } => {
                object.insert(kind.into(), json!(time));
                put_amount(&mut object, tolerance);
            }
            ExpectedFact::One { one, of } => {
                object.insert(kind.into(), written_names(&one));
                object.extend(of.to_value().map(|of| ("of".to_owned(), of)));
            }
            ExpectedFact::Set { set, of } => {
                object.insert(kind.into(), set.to_value());
                object.extend(of.to_value().map(|of| ("of".to_owned(), of)));
            }
            ExpectedFact::Phrase { phrase, not } => {
                object.insert(kind.into(), written_names(&phrase));
                put(&mut object, "not", &not);
            }
            ExpectedFact::Refusal { about: words }
            | ExpectedFact::Unknown { about: words }
            | ExpectedFact::Question { about: words } => {
                object.insert(kind.into(), about(&words));
            }
            ExpectedFact::SmallTalk => _ = object.insert(kind.into(), json!(true)),
            ExpectedFact::AnyOf(ways) => _ = object.insert(kind.into(), json!(ways)),
        }
        Self::Object(object)
    }
}

fn put(object: &mut Map<String, Value>, key: &str, words: &[String]) {
    if !words.is_empty() {
        object.insert(key.to_owned(), json!(words));
    }
}

fn put_amount(object: &mut Map<String, Value>, tolerance: f64) {
    if tolerance > 0.0 {
        object.insert("tolerance".into(), json!(tolerance));
    }
}
