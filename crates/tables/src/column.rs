//! A column of a table: its name, its type, and how its value is found.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::civil::Date;

use crate::row::Row;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// UTF-8 text.
    Text,
    /// A 64-bit floating-point number.
    Number,
    /// A 64-bit integer that is never negative. Signed in files, since Spark has no unsigned ones.
    Count,
    /// True or false.
    Flag,
    /// A moment in UTC, to the microsecond.
    Time,
    /// A day in UTC.
    Date,
    /// Texts by name.
    Texts,
    /// Numbers by name.
    Numbers,
    /// Flags by name.
    Flags,
}

impl ColumnKind {
    /// The type in words, as the documentation names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "float64",
            Self::Count => "int64",
            Self::Flag => "boolean",
            Self::Time => "timestamp (UTC, µs)",
            Self::Date => "date",
            Self::Texts => "map of text to text",
            Self::Numbers => "map of text to float64",
            Self::Flags => "map of text to boolean",
        }
    }
}

/// Values by name.
pub type Named<'a, T> = Vec<(&'a str, T)>;

/// One value of a row; `None` is null.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// Of a column of texts.
    Text(Option<Cow<'a, str>>),
    /// Of a column of numbers.
    Number(Option<f64>),
    /// Of a column of counts.
    Count(Option<u64>),
    /// Of a column of flags.
    Flag(Option<bool>),
    /// Of a column of times.
    Time(Option<Timestamp>),
    /// Of a column of days.
    Date(Option<Date>),
    /// Of a column of texts by name.
    Texts(Named<'a, &'a str>),
    /// Of a column of numbers by name.
    Numbers(Named<'a, Option<f64>>),
    /// Of a column of flags by name.
    Flags(Named<'a, Option<bool>>),
}

/// How much of a log must be read for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// The head of the log. The value is the same in all rows of a log.
    Head,
    /// The lists of summaries.
    Summaries,
    /// The samples themselves.
    Samples,
}

/// A column of a table.
#[derive(Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds, in a sentence.
    pub about: &'static str,
    /// What must be read for it.
    pub source: Source,
    /// Whether nearly every row has a value of its own, as with times. Parquet then does without
    /// a dictionary of the values, which takes longer to make than all else and saves no space.
    pub distinct: bool,
    pub(crate) get: Getter,
}

/// How the value of a row is found. It tells the type of the column too.
#[derive(Debug)]
pub(crate) enum Getter {
    Text(for<'a> fn(&Row<'a>) -> Option<Cow<'a, str>>),
    Number(fn(&Row<'_>) -> Option<f64>),
    Count(fn(&Row<'_>) -> Option<u64>),
    Flag(fn(&Row<'_>) -> Option<bool>),
    Time(fn(&Row<'_>) -> Option<Timestamp>),
    Date(fn(&Row<'_>) -> Option<Date>),
    Texts(for<'a> fn(&Row<'a>) -> Named<'a, &'a str>),
    Numbers(for<'a> fn(&Row<'a>) -> Named<'a, Option<f64>>),
    Flags(for<'a> fn(&Row<'a>) -> Named<'a, Option<bool>>),
}

impl Column {
    /// A column that is known from the head of a log.
    pub(crate) const fn head(name: &'static str, get: Getter, about: &'static str) -> Self {
        Self { name, about, source: Source::Head, distinct: false, get }
    }

    /// A column that is known from the summaries of a log.
    pub(crate) const fn summary(name: &'static str, get: Getter, about: &'static str) -> Self {
        Self { name, about, source: Source::Summaries, distinct: false, get }
    }

    /// A column for which samples must be read.
    pub(crate) const fn sample(name: &'static str, get: Getter, about: &'static str) -> Self {
        Self { name, about, source: Source::Samples, distinct: false, get }
    }

    /// The same column, if nearly every row has a value of its own.
    pub(crate) const fn distinct(self) -> Self {
        Self { distinct: true, ..self }
    }

    /// Its type.
    pub fn kind(&self) -> ColumnKind {
        match self.get {
            Getter::Text(_) => ColumnKind::Text,
            Getter::Number(_) => ColumnKind::Number,
            Getter::Count(_) => ColumnKind::Count,
            Getter::Flag(_) => ColumnKind::Flag,
            Getter::Time(_) => ColumnKind::Time,
            Getter::Date(_) => ColumnKind::Date,
            Getter::Texts(_) => ColumnKind::Texts,
            Getter::Numbers(_) => ColumnKind::Numbers,
            Getter::Flags(_) => ColumnKind::Flags,
        }
    }

    /// Its value in a row.
    pub fn value<'a>(&self, row: &Row<'a>) -> Value<'a> {
        match self.get {
            Getter::Text(get) => Value::Text(get(row)),
            Getter::Number(get) => Value::Number(get(row)),
            Getter::Count(get) => Value::Count(get(row)),
            Getter::Flag(get) => Value::Flag(get(row)),
            Getter::Time(get) => Value::Time(get(row)),
            Getter::Date(get) => Value::Date(get(row)),
            Getter::Texts(get) => Value::Texts(get(row)),
            Getter::Numbers(get) => Value::Numbers(get(row)),
            Getter::Flags(get) => Value::Flags(get(row)),
        }
    }
}
