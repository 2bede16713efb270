//! English words for numbers, months and days, which requests and answers are full of.

/// The months, in order.
pub const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The days of the week, in order.
pub const WEEKDAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// The numbers from zero to nineteen, which have words of their own.
pub const SMALL_NUMBERS: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];

/// The tens from twenty to ninety.
pub const TENS: [&str; 8] =
    ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// The number that one of [`SMALL_NUMBERS`] stands for.
pub fn small_number(word: &str) -> Option<u8> {
    (0..).zip(SMALL_NUMBERS).find(|(_, name)| *name == word).map(|(number, _)| number)
}

/// The number that one of [`TENS`] stands for.
pub fn ten(word: &str) -> Option<u8> {
    (2..).zip(TENS).find(|(_, name)| *name == word).map(|(tens, _)| tens * 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_for_their_numbers() {
        assert_eq!((small_number("zero"), small_number("nineteen")), (Some(0), Some(19)));
        assert_eq!((ten("twenty"), ten("ninety")), (Some(20), Some(90)));
        assert_eq!((small_number("twenty"), ten("ten")), (None, None));
    }
}
