//! A folder of tables: a folder for each table, in it one for each suite and date, in it a file for
//! each log.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use toolgauge_log::{Damage, Log, LogError, TrialRecord};

use crate::column::Source;
use crate::error::TableError;
use crate::facts::{LogFacts, TrialFacts};
use crate::row::Row;
use crate::sink::{Rows, TableFile, TableFormat};
use crate::table::TableName;

/// What Hive escapes in the name of a folder, so that every engine reads the value back.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'\'')
    .add(b'*')
    .add(b'/')
    .add(b':')
    .add(b'=')
    .add(b'?')
    .add(b'\\')
    .add(b'{')
    .add(b'}')
    .add(b'[')
    .add(b']')
    .add(b'^')
    .add(b'<')
    .add(b'>')
    .add(b'|');

/// The name that Hive has for a value that is not there.
const NO_VALUE: &str = "__HIVE_DEFAULT_PARTITION__";

/// A folder into which tables are written.
#[derive(Debug)]
pub struct TableFolder {
    root: PathBuf,
    format: TableFormat,
    tables: Vec<TableName>,
    /// The names of files so far: two logs may have the same name.
    names: BTreeSet<String>,
}

impl TableFolder {
    /// A folder for these tables. It is made when the first log is added; files of other logs in it
    /// stay, and those of the same logs are replaced.
    pub fn new(
        root: &Path,
        format: TableFormat,
        mut tables: Vec<TableName>,
    ) -> Result<Self, TableError> {
        format.check()?;
        if root.exists() && !root.is_dir() {
            return Err(TableError::NotAFolder { folder: root.to_owned() });
        }
        tables.sort();
        tables.dedup();
        Ok(Self { root: root.to_owned(), format, tables, names: BTreeSet::new() })
    }

    /// Writes the tables of a log. Tells what cannot be read of it, and how many trials were read.
    /// The files are put into their places when all are complete.
    pub fn add(&mut self, log: &Log, facts: &LogFacts) -> Result<(Damage, usize), TableError> {
        let name = self.file_name(facts);
        let mut files = Vec::with_capacity(self.tables.len());
        for table in &self.tables {
            let folder = self.folder_of(*table, facts);
            std::fs::create_dir_all(&folder).map_err(TableError::io(&folder))?;
            let path = folder.join(&name);
            files.push((*table, TableFile::create(&path, self.format, *table)?, path));
        }
        let read = self.write_rows(log, facts, &mut files)?;
        for (_, file, path) in files {
            file.close()?.finish().map_err(TableError::io(&path))?;
        }
        Ok(read)
    }

    fn write_rows(
        &self,
        log: &Log,
        facts: &LogFacts,
        files: &mut [(TableName, TableFile, PathBuf)],
    ) -> Result<(Damage, usize), TableError> {
        let (mut damage, mut trials) = (Damage::default(), 0);
        let make = || Chunk::new(self.format, &self.tables);
        let mut head = make();
        for (table, rows) in &mut head.tables {
            if *table == TableName::Runs {
                rows.add(&Row::of_run(facts));
            }
        }
        let mut write = |chunk: Chunk| {
            trials += chunk.trials;
            chunk.unreadable.iter().for_each(|error| damage.note(error));
            let rows = chunk.tables.into_iter().map(|(_, rows)| rows);
            files.iter_mut().zip(rows).try_for_each(|((_, file, _), rows)| file.write(rows))
        };
        write(head)?;
        match self.tables.iter().map(|table| table.source()).max() {
            None | Some(Source::Head) => {}
            Some(Source::Summaries) => {
                let mut summaries = log.summaries().peekable();
                while summaries.peek().is_some() {
                    let mut chunk = make();
                    for summary in summaries.by_ref().take(Log::AT_ONCE) {
                        match summary {
                            Ok(summary) => chunk.add(facts, &TrialFacts::from(&summary)),
                            Err(error) => chunk.unreadable.push(error),
                        }
                    }
                    write(chunk)?;
                }
            }
            Some(Source::Samples) => {
                let add = |chunk: &mut Chunk, trial: Result<TrialRecord<'_>, LogError>| match trial
                {
                    Ok(trial) => chunk.add(facts, &TrialFacts::from(&trial)),
                    Err(error) => chunk.unreadable.push(error),
                };
                log.gather(make, add, write)?;
            }
        }
        Ok((damage, trials))
    }

    fn folder_of(&self, table: TableName, facts: &LogFacts) -> PathBuf {
        let mut folder = self.root.join(table.name());
        for name in table.partitions() {
            let value = match *name {
                "suite" => facts.run.suite.name.clone(),
                _ => facts.date.to_string(),
            };
            let value = utf8_percent_encode(&value, ESCAPED).to_string();
            let value = if value.is_empty() { NO_VALUE } else { &value };
            folder.push(format!("{name}={value}"));
        }
        folder
    }

    /// The name of the log's files: its own, with a number if another log had it.
    fn file_name(&mut self, facts: &LogFacts) -> String {
        let stem = Path::new(&facts.log).file_stem().unwrap_or_default().to_string_lossy();
        // A pattern of shards is no name of a file, and their run has one.
        let stem = if stem.is_empty() || stem.contains(['*', '?', '[']) {
            facts.run.id.as_str()
        } else {
            &stem
        };
        let ending = self.format.name();
        let mut name = format!("{stem}.{ending}");
        let mut number = 1;
        while self.names.contains(&name) {
            number += 1;
            name = format!("{stem}-{number}.{ending}");
        }
        self.names.insert(name.clone());
        name
    }
}

/// Rows of all tables, of some trials.
struct Chunk {
    tables: Vec<(TableName, Rows)>,
    trials: usize,
    unreadable: Vec<LogError>,
}

impl Chunk {
    fn new(format: TableFormat, tables: &[TableName]) -> Self {
        let tables = tables.iter().map(|table| (*table, Rows::new(format, *table))).collect();
        Self { tables, trials: 0, unreadable: Vec::new() }
    }

    fn add(&mut self, facts: &LogFacts, trial: &TrialFacts<'_>) {
        self.trials += 1;
        for (table, rows) in &mut self.tables {
            table.rows_of(facts, trial, |row| rows.add(&row));
        }
    }
}
