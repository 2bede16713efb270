//! The scanner, held against one that takes a byte at a time.

use proptest::prelude::*;

use super::*;

/// Where a string ends and whether it holds an escape, byte by byte.
fn string_one_by_one(bytes: &[u8]) -> Result<(usize, bool), ScanStop> {
    let (mut at, mut escaped) = (1, false);
    loop {
        let stop = |wanted, ended| Err(ScanStop { at, wanted, ended });
        match bytes.get(at) {
            None => return stop(WANT_QUOTE, true),
            Some(b'"') => return Ok((at + 1, escaped)),
            Some(0..0x20) => return stop(WANT_NO_CONTROL, false),
            Some(b'\\') => {
                escaped = true;
                match bytes.get(at + 1) {
                    None => return stop(WANT_ESCAPE, true),
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => at += 2,
                    Some(b'u') => {
                        let digits = &bytes[at + 2..bytes.len().min(at + 6)];
                        if !digits.iter().all(u8::is_ascii_hexdigit) {
                            return stop(WANT_HEX, false);
                        }
                        if digits.len() < 4 {
                            return stop(WANT_HEX, true);
                        }
                        at += 6;
                    }
                    Some(_) => return stop(WANT_ESCAPE, false),
                }
            }
            Some(_) => at += 1,
        }
    }
}

/// Pieces of strings: plain runs of all lengths around those of vectors and blocks, escapes good
/// and bad, and now and then an end or an error.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        12 => (0..70_usize).prop_map(|length| vec![b'x'; length]),
        12 => prop::sample::select(vec![r"\n", r#"\""#, r"\\", r"\\\\\\", r"\u00e9", r"\/", r"\t"])
            .prop_map(|text| text.as_bytes().to_vec()),
        4 => (1..70_usize).prop_map(|pairs| br"\\".repeat(pairs)),
        2 => Just("\u{e9}\u{1f600}".as_bytes().to_vec()),
        1 => prop::sample::select(vec!["\"", "\n", r"\x", r"\u12", r"\ug000", "\\\n", "\\"])
            .prop_map(|text| text.as_bytes().to_vec()),
    ]
}

proptest! {
    #[test]
    fn strings_are_read_as_byte_by_byte(pieces in prop::collection::vec(piece(), 0..12)) {
        let bytes = [b"\"".to_vec(), pieces.concat()].concat();
        let mut scanner = Scanner::new(&bytes);
        let found = scanner.string().map(|escaped| (scanner.offset(), escaped));
        prop_assert_eq!(found, string_one_by_one(&bytes));
    }

    #[test]
    fn a_string_may_be_cut_anywhere(pieces in prop::collection::vec(piece(), 0..4)) {
        let bytes = [b"\"".to_vec(), pieces.concat(), b"\" ".to_vec()].concat();
        for end in 1..bytes.len() {
            let mut scanner = Scanner::new(&bytes[..end]);
            let found = scanner.string().map(|escaped| (scanner.offset(), escaped));
            prop_assert_eq!(found, string_one_by_one(&bytes[..end]));
        }
    }

    #[test]
    fn white_space_of_any_shape_is_passed(space in "[ \n\r\t]{0,90}", indent in 0..90_usize) {
        for space in [space, format!("\n{}", " ".repeat(indent))] {
            for text in [space.clone(), format!("{space}1"), format!("{space}1{space}")] {
                let mut scanner = Scanner::new(text.as_bytes());
                let first = scanner.peek();
                prop_assert_eq!(first, text.trim_start().bytes().next());
                prop_assert_eq!(scanner.offset(), space.len());
            }
        }
    }
}
