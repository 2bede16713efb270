//! What a suite may say of a business world, and the world it makes.

use std::time::Duration;

use jiff::civil::Date;
use serde::Deserialize;
use serde_json::{Map, Value};
use toolgauge_business::{BusinessWorld, Database, Documents, QueryLimits};
use toolgauge_suite::Suite;

/// What stands under `world` beside its kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BusinessConfig {
    /// The database: a SQLite file, or a file of SQL that makes one.
    database: Option<String>,
    /// The folder of documents.
    documents: Option<String>,
    /// How long a query may run, in seconds.
    seconds: Option<f64>,
    /// How many rows of a result are shown.
    rows: Option<usize>,
    /// How many bytes of a result are shown.
    bytes: Option<usize>,
    /// The day that queries take for today.
    today: Option<Date>,
}

/// Builds the world, or says what is wrong with what the suite says of it.
pub(super) fn build(suite: &Suite, config: &Map<String, Value>) -> Result<BusinessWorld, String> {
    let config: BusinessConfig = serde_json::from_value(Value::Object(config.clone()))
        .map_err(|error| format!("the world of `{}`: {error}", suite.name))?;
    if config.database.is_none() && config.documents.is_none() {
        return Err("a business needs a `database`, a folder of `documents`, or both".to_owned());
    }
    let limits = limits(&config)?;
    let database = config.database.as_deref().map(|file| database(suite, file, limits));
    let documents = config.documents.as_deref().map(|folder| documents(suite, folder));
    Ok(BusinessWorld::new(database.transpose()?, documents.transpose()?))
}

fn limits(config: &BusinessConfig) -> Result<QueryLimits, String> {
    let usual = QueryLimits::default();
    let time = match config.seconds {
        None => usual.time,
        Some(seconds) => Duration::try_from_secs_f64(seconds)
            .ok()
            .filter(|time| !time.is_zero() && *time <= Duration::from_hours(1))
            .ok_or_else(|| format!("`seconds` is a number above 0, not {seconds}"))?,
    };
    let rows = config.rows.unwrap_or(usual.rows);
    let bytes = config.bytes.unwrap_or(usual.bytes);
    if rows == 0 || bytes == 0 {
        return Err("`rows` and `bytes` are whole numbers from 1".to_owned());
    }
    Ok(QueryLimits { time, rows, bytes, today: config.today })
}

/// A file on disk is asked where it is; one that is part of the program, in memory.
fn database(suite: &Suite, file: &str, limits: QueryLimits) -> Result<Database, String> {
    let database = if let Some(folder) = suite.folder() {
        Database::from_path(&folder.join(file), limits)
    } else {
        Database::from_bytes(&format!("{}/{file}", suite.name), bytes(suite, file)?, limits)
    };
    database.map_err(|error| error.to_string())
}

fn bytes(suite: &Suite, file: &str) -> Result<Vec<u8>, String> {
    suite.read(file).map_err(|error| format!("cannot read `{file}`: {error}"))
}

fn documents(suite: &Suite, folder: &str) -> Result<Documents, String> {
    let documents = if let Some(place) = suite.folder() {
        Documents::from_folder(&place.join(folder))
    } else {
        let mut files = Vec::new();
        let inside = format!("{}/", folder.trim_start_matches("./").trim_end_matches('/'));
        for file in suite.files_under(folder) {
            let Some(id) = file.strip_prefix(&inside) else { continue };
            files.push((id.to_owned(), bytes(suite, &file)?));
        }
        Documents::from_files(folder, files)
    };
    documents.map_err(|error| error.to_string())
}
