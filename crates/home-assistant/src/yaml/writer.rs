//! Text in the styles of YAML, character by character as libyaml writes it.

use std::fmt::Write as _;

/// The column behind which a line is folded at the next space.
const WIDTH: usize = 80;

/// What libyaml prints as it is; it escapes everything beyond the basic plane.
pub(super) fn is_printable(character: char) -> bool {
    matches!(character, '\n' | ' '..='~' | '\u{A0}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}')
        && character != '\u{FEFF}'
}

pub(super) fn is_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Text on its way into a document, folded behind column 80.
pub(super) struct Writer<'o> {
    pub(super) out: &'o mut String,
    pub(super) column: usize,
    pub(super) indent: usize,
}

impl Writer<'_> {
    pub(super) fn plain(&mut self, text: &str) {
        self.folded(text, false);
    }

    pub(super) fn single(&mut self, text: &str) {
        self.put('\'');
        self.folded(text, true);
        self.put('\'');
    }

    fn folded(&mut self, text: &str, quoted: bool) {
        let mut after_space = false;
        let mut after_break = false;
        let mut characters = text.chars().enumerate().peekable();
        let last = text.chars().count().saturating_sub(1);
        while let Some((at, character)) = characters.next() {
            if is_break(character) {
                self.line_break(character, after_break);
                after_break = true;
                continue;
            }
            if std::mem::take(&mut after_break) {
                self.pad();
            }
            if character == ' ' {
                let space_follows = characters.peek().is_some_and(|&(_, next)| next == ' ');
                let at_edge = quoted && (at == 0 || at == last);
                // A break is read back as one space, so that several in a row must stay together.
                if !after_space && self.column > WIDTH && !space_follows && !at_edge {
                    self.new_line();
                } else {
                    self.put(' ');
                }
                after_space = true;
            } else {
                if quoted && character == '\'' {
                    self.put('\'');
                }
                self.put(character);
                after_space = false;
            }
        }
        if after_break {
            self.pad();
        }
    }

    /// A line break within quotes. One that YAML would fold into a space is doubled.
    fn line_break(&mut self, character: char, after_break: bool) {
        if character == '\n' && !after_break {
            self.out.push('\n');
        }
        self.out.push(character);
        self.column = 0;
    }

    /// Spaces up to the indentation, at the start of a line.
    fn pad(&mut self) {
        while self.column < self.indent {
            self.put(' ');
        }
    }

    pub(super) fn double(&mut self, text: &str) {
        self.put('"');
        let mut after_space = false;
        let last = text.chars().count().saturating_sub(1);
        let mut characters = text.chars().enumerate().peekable();
        while let Some((at, character)) = characters.next() {
            if character == ' ' {
                let inside = at != 0 && at != last;
                if !after_space && self.column > WIDTH && inside {
                    self.new_line();
                    // A space that begins a line would be dropped by a reader; escaped, it stays.
                    if characters.peek().is_some_and(|&(_, next)| next == ' ') {
                        self.put('\\');
                    }
                } else {
                    self.put(' ');
                }
                after_space = true;
                continue;
            }
            after_space = false;
            match escape(character) {
                Some(escaped) => escaped.chars().for_each(|part| self.put(part)),
                None => self.put(character),
            }
        }
        self.put('"');
    }

    fn put(&mut self, character: char) {
        self.out.push(character);
        self.column += 1;
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        self.column = 0;
        self.pad();
    }
}

fn escape(character: char) -> Option<String> {
    let letter = match character {
        '\0' => "0",
        '\u{7}' => "a",
        '\u{8}' => "b",
        '\t' => "t",
        '\n' => "n",
        '\u{B}' => "v",
        '\u{C}' => "f",
        '\r' => "r",
        '\u{1B}' => "e",
        '"' => "\"",
        '\\' => "\\",
        '\u{85}' => "N",
        '\u{2028}' => "L",
        '\u{2029}' => "P",
        _ if is_printable(character) => return None,
        _ => return Some(numbered(character)),
    };
    Some(format!("\\{letter}"))
}

fn numbered(character: char) -> String {
    let code = u32::from(character);
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = match code {
        0..=0xFF => write!(text, "\\x{code:02X}"),
        0x100..=0xFFFF => write!(text, "\\u{code:04X}"),
        _ => write!(text, "\\U{code:08X}"),
    };
    text
}
