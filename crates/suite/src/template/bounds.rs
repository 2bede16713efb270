//! Bounds on what a template makes: what it writes, and what single filters make of little.
//!
//! The bound on work counts instructions of the template engine, and one instruction may make
//! gigabytes of a few bytes.

use std::io;

use minijinja::value::{Rest, Value};
use minijinja::{Environment, Error, ErrorKind, State, filters};

/// How much a prompt, or what a filter makes, may have, in bytes or items.
pub(super) const LARGEST: usize = 16 << 20;

/// A buffer that takes so much and no more.
#[derive(Debug, Default)]
pub(super) struct Bounded(pub(super) Vec<u8>);

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > LARGEST {
            return Err(io::Error::other("too large"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Puts filters that can make much of little behind a look at how much it will be.
pub(super) fn guard_filters(environment: &mut Environment<'_>) {
    environment.add_filter("replace unguarded", filters::replace);
    environment.add_filter("join unguarded", filters::join);
    environment.add_filter("format unguarded", filters::format);
    environment.add_filter("batch unguarded", filters::batch);
    environment.add_filter("slice unguarded", filters::slice);
    environment.add_filter("indent unguarded", filters::indent);
    guard(environment, "replace", replaced);
    guard(environment, "join", joined);
    guard(environment, "format", formatted);
    guard(environment, "batch", |arguments| count(arguments.get(1)));
    guard(environment, "slice", |arguments| count(arguments.get(1)));
    guard(environment, "indent", |arguments| {
        count(arguments.get(1)).saturating_mul(lines(arguments.first()))
    });
}

fn guard(environment: &mut Environment<'_>, name: &'static str, size: fn(&[Value]) -> usize) {
    let unguarded = format!("{name} unguarded");
    environment.add_filter(name, move |state: &mut State<'_, '_>, arguments: Rest<Value>| {
        if size(&arguments) > LARGEST {
            return Err(too_large(name));
        }
        state.apply_filter(&unguarded, &arguments)
    });
}

/// Refuses the methods of texts that can make much of little.
pub(super) fn check_method(value: &Value, method: &str, arguments: &[Value]) -> Result<(), Error> {
    let with_value = || std::iter::once(value).chain(arguments).cloned();
    let size = match method {
        "replace" => replaced(&with_value().collect::<Vec<_>>()),
        // The text that joins is the one whose method it is.
        "join" => joined(&arguments.iter().take(1).chain([value]).cloned().collect::<Vec<_>>()),
        "format" => formatted(&with_value().collect::<Vec<_>>()),
        _ => 0,
    };
    if size > LARGEST { Err(too_large(method)) } else { Ok(()) }
}

fn too_large(what: &str) -> Error {
    Error::new(ErrorKind::InvalidOperation, format!("`{what}` would make too large a text"))
}

fn replaced(arguments: &[Value]) -> usize {
    let text = |at: usize| arguments.get(at).and_then(Value::as_str).unwrap_or_default();
    let (whole, from, to) = (text(0), text(1), text(2));
    let found = if from.is_empty() { whole.len() + 1 } else { whole.matches(from).count() };
    found.saturating_mul(to.len()).saturating_add(whole.len())
}

fn joined(arguments: &[Value]) -> usize {
    let Some(Ok(items)) = arguments.first().map(Value::try_iter) else { return 0 };
    let between = arguments.get(1).and_then(Value::as_str).map_or(0, str::len);
    items.fold(0, |sum: usize, item| {
        sum.saturating_add(item.as_str().map_or(0, str::len)).saturating_add(between)
    })
}

/// The widths that a format asks for, in itself or by its arguments.
fn formatted(arguments: &[Value]) -> usize {
    let Some(format) = arguments.first().and_then(Value::as_str) else { return 0 };
    let numbers = format.split(|letter: char| !letter.is_ascii_digit());
    let widths = numbers.filter(|digits| !digits.is_empty());
    let widths = widths.map(|digits| digits.parse().unwrap_or(usize::MAX));
    let given = arguments.iter().skip(1).filter(|_| format.contains('*'));
    let given = given.map(|value| count(Some(value)));
    widths.chain(given).fold(format.len(), usize::saturating_add)
}

fn count(value: Option<&Value>) -> usize {
    value.and_then(Value::as_usize).unwrap_or(0)
}

fn lines(value: Option<&Value>) -> usize {
    value.and_then(Value::as_str).map_or(1, |text| text.matches('\n').count() + 1)
}
