//! Puts everything that makes or writes a value under the budget of one prompt.

use std::sync::{Arc, LazyLock};

use minijinja::value::{Rest, Value, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, Output, State, context, escape_formatter, filters};

use super::budget::{Budget, ITEM, check_attribute, size};
use super::checks::{MEASURE, MEASURE_ATTRIBUTE, MULTIPLY};

/// An environment without bounds, to multiply by: the engine has no function for it.
static ARITHMETIC: LazyLock<Environment<'static>> = LazyLock::new(Environment::new);

/// Lets a prompt take from `budget` and no more.
pub(super) fn bind(environment: &mut Environment<'_>, budget: &Arc<Budget>) {
    let shared = || Arc::clone(budget);
    let own = shared();
    environment.set_formatter(move |out: &mut Output<'_>, state: &mut State<'_, '_>, value| {
        own.take_value(value)?;
        escape_formatter(out, state, value)
    });
    let own = shared();
    environment.add_filter(MEASURE, move |value: Value| own.take_value(&value).map(|()| value));
    environment
        .add_filter(MEASURE_ATTRIBUTE, |value: Value| check_attribute(&value).map(|()| value));
    let own = shared();
    environment.add_filter(MULTIPLY, move |left: Value, right: Value| {
        // Before the product is made: a text times a large number would fill the memory at once.
        own.take(product(&left, &right), "`*`")?;
        let product = ARITHMETIC.compile_expression("left * right")?;
        product.eval(context! { left, right })
    });
    let own = shared();
    environment.set_unknown_method_callback(move |state, value, method, arguments| {
        check_method(&own, value, method, arguments)?;
        minijinja_contrib::pycompat::unknown_method_callback(state, value, method, arguments)
    });
    let filters: [(&str, Value, Size); 6] = [
        ("replace", Value::from_function(filters::replace), replaced),
        ("join", Value::from_function(filters::join), joined),
        ("format", Value::from_function(filters::format), formatted),
        ("batch", Value::from_function(filters::batch), filled),
        ("slice", Value::from_function(filters::slice), filled),
        ("indent", Value::from_function(filters::indent), indented),
    ];
    for (name, filter, size) in filters {
        let own = shared();
        environment.add_filter(name, move |state: &mut State<'_, '_>, arguments: Arguments| {
            let arguments = arguments.into_values();
            own.take(size(&arguments), &format!("`{name}`"))?;
            filter.call(state, &arguments)
        });
    }
}

type Arguments = Rest<ValueOrKwargs>;

/// At most how large the result of a filter is, by its arguments.
type Size = fn(&[Value]) -> usize;

/// Refuses the methods of texts that can make much of little.
fn check_method(
    budget: &Budget,
    value: &Value,
    method: &str,
    arguments: &[Value],
) -> Result<(), Error> {
    let with_value = || std::iter::once(value).chain(arguments).cloned().collect::<Vec<_>>();
    let size = match method {
        "replace" => replaced(&with_value()),
        // The text that joins is the one whose method it is.
        "join" => joined(&arguments.iter().take(1).chain([value]).cloned().collect::<Vec<_>>()),
        "format" => formatted(&with_value()),
        _ => 0,
    };
    budget.take(size, &format!("`{method}`"))
}

fn product(left: &Value, right: &Value) -> usize {
    let times = |value: &Value, other: &Value| match value.kind() {
        ValueKind::Number => 0,
        _ => length(value).saturating_mul(other.as_usize().unwrap_or(0)),
    };
    times(left, right).max(times(right, left))
}

fn replaced(arguments: &[Value]) -> usize {
    let text = |at: usize| arguments.get(at).and_then(Value::as_str).unwrap_or_default();
    let (whole, from) = (text(0), text(1));
    let found = if from.is_empty() { whole.len() + 1 } else { whole.matches(from).count() };
    let to = arguments.get(2).map_or(0, length);
    found.saturating_mul(to).saturating_add(whole.len())
}

fn joined(arguments: &[Value]) -> usize {
    let Some((items, others)) = arguments.split_first() else { return 0 };
    let between = others.iter().map(length).max().unwrap_or(0);
    let count = items.len().unwrap_or(0);
    length(items).saturating_add(count.saturating_mul(between))
}

/// The widths that a format asks for, in itself or by its arguments, and for each field the
/// largest argument.
fn formatted(arguments: &[Value]) -> usize {
    let Some((format, others)) = arguments.split_first() else { return 0 };
    let format = format.as_str().unwrap_or_default();
    let numbers = format.split(|letter: char| !letter.is_ascii_digit());
    let widths = numbers.filter(|digits| !digits.is_empty());
    let widths = widths.map(|digits| digits.parse().unwrap_or(usize::MAX));
    let widths = widths.fold(format.len(), usize::saturating_add);
    // In a format of Python's, `*` takes the width from the arguments.
    let given = if format.contains('*') { largest_number(others) } else { 0 };
    let fields = format.matches(['%', '{']).count();
    let largest = others.iter().map(length).max().unwrap_or(0).saturating_add(given);
    widths.saturating_add(fields.saturating_mul(largest))
}

fn filled(arguments: &[Value]) -> usize {
    let number = largest_number(arguments.get(1..).unwrap_or_default());
    number.saturating_mul(ITEM)
}

fn indented(arguments: &[Value]) -> usize {
    let text = arguments.first().and_then(Value::as_str).unwrap_or_default();
    let lines = text.matches('\n').count() + 1;
    largest_number(arguments.get(1..).unwrap_or_default()).saturating_mul(lines)
}

/// How long a value is at most when it is written; more than any may be if it is too large.
fn length(value: &Value) -> usize {
    value.as_str().map_or_else(|| size(value).unwrap_or(usize::MAX), str::len)
}

/// The largest number among arguments, those with a name included.
fn largest_number(arguments: &[Value]) -> usize {
    let named = |value: &Value| -> usize {
        let Ok(names) = value.try_iter() else { return 0 };
        let values = names.filter_map(|name| value.get_item(&name).ok()?.as_usize());
        values.max().unwrap_or(0)
    };
    let number = |value: &Value| {
        if value.is_kwargs() { named(value) } else { value.as_usize().unwrap_or(0) }
    };
    arguments.iter().map(number).max().unwrap_or(0)
}
