//! A day of its own for a database: what SQL calls "now" is that day at noon, on every machine and
//! in every year. Questions about "the next 90 days" then have one right answer.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::civil::Date;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::Value;
use rusqlite::{Connection, Result, params_from_iter};

/// The functions that take times, with the places of the times among their arguments.
const FUNCTIONS: [(&str, &[usize]); 7] = [
    ("date", &[0]),
    ("time", &[0]),
    ("datetime", &[0]),
    ("julianday", &[0]),
    ("unixepoch", &[0]),
    ("strftime", &[1]),
    ("timediff", &[0, 1]),
];

/// The words that SQL writes without brackets, and the functions that they stand for.
const WORDS: [(&str, &str); 3] =
    [("current_date", "date"), ("current_time", "time"), ("current_timestamp", "datetime")];

/// Makes a connection live on this day.
pub(super) fn hold(connection: &Connection, day: Date) -> Result<()> {
    let noon: Arc<str> = format!("{day} 12:00:00").into();
    // It still has SQLite's own functions, which ours replace on the other connection.
    let own = Arc::new(Mutex::new(Connection::open_in_memory()?));
    // Innocuous: views of the database may call them, as they may call those of SQLite.
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    for (name, times) in FUNCTIONS {
        let (noon, own) = (Arc::clone(&noon), Arc::clone(&own));
        connection.create_scalar_function(name, -1, flags, move |context| {
            compute(&own, name, on_that_day(context, times, &noon)?)
        })?;
    }
    for (word, function) in WORDS {
        let (noon, own) = (Arc::clone(&noon), Arc::clone(&own));
        connection.create_scalar_function(word, 0, flags, move |_| {
            compute(&own, function, vec![Value::Text(noon.to_string())])
        })?;
    }
    Ok(())
}

/// The arguments of a call with noon of that day in place of "now".
fn on_that_day(context: &Context<'_>, times: &[usize], noon: &str) -> Result<Vec<Value>> {
    let given = (0..context.len()).map(|place| context.get::<Value>(place));
    let mut arguments = given.collect::<Result<Vec<_>>>()?;
    // Noon is noon wherever this machine is.
    arguments.retain(|argument| !is_one_of(argument, &["localtime", "utc"]));
    for place in times {
        // Without a time it is now, too.
        if *place == arguments.len() {
            arguments.push(Value::Text("now".to_owned()));
        }
        if let Some(time) = arguments.get_mut(*place)
            && is_one_of(time, &["now", "subsec", "subsecond"])
        {
            *time = Value::Text(noon.to_owned());
        }
    }
    Ok(arguments)
}

fn is_one_of(value: &Value, words: &[&str]) -> bool {
    matches!(value, Value::Text(text) if words.iter().any(|word| text.eq_ignore_ascii_case(word)))
}

/// What SQLite's own function gives for these arguments.
fn compute(own: &Mutex<Connection>, function: &str, arguments: Vec<Value>) -> Result<Value> {
    let own = own.lock().unwrap_or_else(PoisonError::into_inner);
    let places = vec!["?"; arguments.len()].join(", ");
    let mut statement = own.prepare(&format!("SELECT {function}({places})"))?;
    statement.query_row(params_from_iter(arguments), |row| row.get(0))
}
