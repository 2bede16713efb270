//! Calls written as Python: `turn_on(name="Lamp")`, `[a(x=1), b()]`.

use serde_json::{Map, Value};
use toolgauge_core::{Arguments, Tool};

use super::found::{Called, FoundCall, is_declared};

/// How deep lists and dictionaries may nest.
const DEEPEST: usize = 32;

/// Finds lines that are calls of offered tools and nothing else.
pub(super) fn find(text: &str, tools: &[Tool]) -> Vec<FoundCall> {
    let mut found = Vec::new();
    let mut at = 0;
    // A list may go over several lines; then the text as a whole is the list.
    if let Some(calls) = read(text.trim(), tools) {
        return FoundCall::all_at(&(0..text.len()), calls).collect();
    }
    for line in text.split_inclusive('\n') {
        let span = at..at + line.trim_end().len();
        found.extend(FoundCall::all_at(&span, read(line.trim(), tools).unwrap_or_default()));
        at += line.len();
    }
    found
}

/// Reads code that is nothing but calls: one list, or a call on each line.
pub(super) fn read_lines(code: &str, tools: &[Tool]) -> Option<Vec<Called>> {
    if let Some(calls) = read(code.trim(), tools) {
        return Some(calls);
    }
    let mut calls = Vec::new();
    for line in code.lines().map(str::trim).filter(|line| !line.is_empty()) {
        calls.extend(read(line, tools)?);
    }
    (!calls.is_empty()).then_some(calls)
}

/// Reads a call, or a list of calls, that makes up the whole text.
fn read(text: &str, tools: &[Tool]) -> Option<Vec<Called>> {
    if !text.ends_with([')', ']']) {
        return None;
    }
    let mut parser = Parser { rest: text, tools };
    let calls = if parser.eat('[') { parser.calls()? } else { vec![parser.call()?] };
    parser.rest.is_empty().then_some(calls)
}

struct Parser<'a> {
    rest: &'a str,
    tools: &'a [Tool],
}

impl<'a> Parser<'a> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.skip_space();
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                self.skip_space();
                true
            }
            None => false,
        }
    }

    /// The calls of a list, up to its end.
    fn calls(&mut self) -> Option<Vec<Called>> {
        let mut calls = vec![self.call()?];
        while self.eat(',') {
            // Python allows a comma behind the last item.
            if self.rest.starts_with(']') {
                break;
            }
            calls.push(self.call()?);
        }
        self.eat(']').then_some(calls)
    }

    /// `name(key=value, …)`, for a tool that was offered.
    fn call(&mut self) -> Option<Called> {
        let name = self.word(|c| c.is_alphanumeric() || "_-.".contains(c))?;
        if !is_declared(name, self.tools) || !self.rest.starts_with('(') {
            return None;
        }
        self.eat('(');
        let mut arguments = Map::new();
        let mut position = 0;
        while !self.eat(')') {
            let key = match self.key() {
                Some(key) => key.to_owned(),
                // Arguments by position get their names from the tool's schema.
                None => self.parameter(name, position)?,
            };
            position += 1;
            arguments.insert(key, self.value(0)?);
            if !self.eat(',') && !self.rest.starts_with(')') {
                return None;
            }
        }
        Some((name.to_owned(), Arguments::Object(arguments)))
    }

    /// `key=`, if that is what comes next.
    fn key(&mut self) -> Option<&'a str> {
        let before = self.rest;
        let key = self.word(|c| c.is_alphanumeric() || c == '_');
        match key {
            Some(key) if self.eat('=') => Some(key),
            _ => {
                self.rest = before;
                None
            }
        }
    }

    /// The name of the parameter an argument without a name is for.
    fn parameter(&self, tool: &str, position: usize) -> Option<String> {
        let tool = self.tools.iter().find(|known| known.name == tool)?;
        let parameters = tool.parameters.get("properties")?.as_object()?;
        parameters.keys().nth(position).cloned()
    }

    fn word(&mut self, part: impl Fn(char) -> bool) -> Option<&'a str> {
        let end = self.rest.find(|c| !part(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        self.skip_space();
        match self.rest.chars().next()? {
            '"' | '\'' => self.string().map(Value::String),
            '[' => self.sequence('[', ']', depth).map(Value::Array),
            '(' => self.sequence('(', ')', depth).map(Value::Array),
            '{' => self.dictionary(depth).map(Value::Object),
            _ => self.scalar(),
        }
    }

    fn sequence(&mut self, open: char, close: char, depth: usize) -> Option<Vec<Value>> {
        self.eat(open);
        let mut items = Vec::new();
        while !self.eat(close) {
            items.push(self.value(depth + 1)?);
            if !self.eat(',') && !self.rest.starts_with(close) {
                return None;
            }
        }
        Some(items)
    }

    fn dictionary(&mut self, depth: usize) -> Option<Map<String, Value>> {
        self.eat('{');
        let mut fields = Map::new();
        while !self.eat('}') {
            let key = self.string()?;
            if !self.eat(':') {
                return None;
            }
            fields.insert(key, self.value(depth + 1)?);
            if !self.eat(',') && !self.rest.starts_with('}') {
                return None;
            }
        }
        Some(fields)
    }

    fn scalar(&mut self) -> Option<Value> {
        let word = self.word(|c| c.is_alphanumeric() || "+-._".contains(c))?;
        match word {
            "True" | "true" => Some(Value::Bool(true)),
            "False" | "false" => Some(Value::Bool(false)),
            "None" | "null" => Some(Value::Null),
            number => serde_json::from_str(number).ok().filter(Value::is_number),
        }
    }

    fn string(&mut self) -> Option<String> {
        let quote = self.rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let mut text = String::new();
        let mut characters = self.rest[1..].char_indices();
        while let Some((at, character)) = characters.next() {
            match character {
                '\\' => text.push(unescaped(characters.next()?.1)),
                end if end == quote => {
                    self.rest = &self.rest[1 + at + 1..];
                    return Some(text);
                }
                other => text.push(other),
            }
        }
        None
    }
}

fn unescaped(character: char) -> char {
    match character {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        other => other,
    }
}
