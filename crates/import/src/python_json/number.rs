//! Numbers: from their written form to values that compare as Python's do, and back.

use serde_json::{Number, Value};
use toolgauge_core::json::number_stand_in;

/// The value of a number a [`Scanner`](super::Scanner) has moved past.
///
/// An integer beyond 64 bits and a whole float of that size become the same stand-in, their
/// exact digits, because Python holds them equal.
pub(super) fn number(written: &str) -> Value {
    if written.ends_with("Infinity") {
        return number_stand_in(written);
    }
    if written.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
        return float(written.parse().unwrap_or(f64::NAN));
    }
    if let Ok(integer) = written.parse::<i64>() {
        return Value::from(integer);
    }
    if let Ok(integer) = written.parse::<u64>() {
        return Value::from(integer);
    }
    number_stand_in(written)
}

fn float(value: f64) -> Value {
    const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
    if value.is_nan() {
        return number_stand_in("NaN");
    }
    if value.is_infinite() {
        return number_stand_in(if value > 0.0 { "Infinity" } else { "-Infinity" });
    }
    // From 2^53 on every float is whole, and `{:.0}` writes its exact digits.
    if !(-TWO_TO_63..2.0 * TWO_TO_63).contains(&value) {
        return number_stand_in(&format!("{value:.0}"));
    }
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

/// A float as Python's `repr` writes it: the fewest digits that read back as the same number,
/// with an exponent below 1e-4 and from 1e16 on.
pub(crate) fn python_repr(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if value == 0.0 || (-4..16).contains(&exponent) {
        let plain = format!("{value}");
        return if plain.contains('.') { plain } else { format!("{plain}.0") };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn big_integers_and_whole_floats_meet() {
        assert_eq!(number("1e20"), number("100000000000000000000"));
        assert_eq!(number("1.5e300").as_str().map(str::len), Some(301 + '\u{10ffff}'.len_utf8()));
        assert_eq!(number("18446744073709551616"), number("18446744073709551616.0"));
        assert_eq!(number("18446744073709551615"), Value::from(u64::MAX));
        assert_eq!(number("-9223372036854775808"), Value::from(i64::MIN));
        assert_eq!(number("-9223372036854775809"), number_stand_in("-9223372036854775809"));
        assert_eq!(number("1e999"), number("Infinity"));
        assert_eq!(number("-0"), Value::from(0));
    }

    #[test]
    fn floats_are_written_as_python_writes_them() {
        // python3 -c 'for x in (0.0, 1.0, 0.1, 1/3, 1e-4, 1e-5, 1.5e-7, 1e15, 1e16,
        //                       123456789012345680.0, 5e-324, -0.0): print(repr(x))'
        let pairs = [
            (0.0, "0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1.0 / 3.0, "0.3333333333333333"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (123_456_789_012_345_680.0, "1.2345678901234568e+17"),
            (5e-324, "5e-324"),
            (-0.0, "-0.0"),
        ];
        for (value, written) in pairs {
            assert_eq!(python_repr(value), written);
        }
    }
}
