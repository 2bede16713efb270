//! The functions that a question offers, and what is asked beside them.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;
use toolgauge_core::Tool;

use crate::python_json::{ScanStop, Scanner, build, parse};

/// How a dot in a function's name was sent to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dots {
    Underscore,
    Keep,
}

impl Dots {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Underscore => "underscore",
            Self::Keep => "keep",
        }
    }

    pub(super) fn told(self, name: &str) -> String {
        match self {
            Self::Underscore => name.replace('.', "_"),
            Self::Keep => name.to_owned(),
        }
    }
}

/// What is asked, and the functions that are offered for it.
#[derive(Debug, Default)]
pub(super) struct AskedQuestion {
    /// The turns, or the text of the first edition.
    pub(super) asked: Value,
    pub(super) functions: Option<Rc<OfferedFunctions>>,
}

/// The functions of a question. Questions that follow one another often have the same.
#[derive(Debug)]
pub(super) struct OfferedFunctions {
    text: Box<[u8]>,
    pub(super) value: Value,
    tools: OnceCell<(Dots, Arc<[Tool]>)>,
}

impl OfferedFunctions {
    /// The functions as tools.
    pub(super) fn tools(&self, dots: Dots) -> Arc<[Tool]> {
        let (known, shared) = self.tools.get_or_init(|| (dots, tools(&self.value, dots)));
        if *known == dots { Arc::clone(shared) } else { tools(&self.value, dots) }
    }

    /// Whether one of them has exactly this name.
    pub(super) fn has(&self, name: &str) -> bool {
        let named = |function: &Value| function.get("name").and_then(Value::as_str) == Some(name);
        functions_of(&self.value).iter().any(named)
    }
}

/// The functions that were read last.
#[derive(Debug, Default)]
pub(super) struct LastFunctions(RefCell<Option<Rc<OfferedFunctions>>>);

impl LastFunctions {
    /// Reads a question. Its functions are read only if they are others than the last ones.
    pub(super) fn question(&self, text: &[u8]) -> Result<AskedQuestion, ScanStop> {
        let mut question = AskedQuestion::default();
        let mut functions = None;
        let mut scanner = Scanner::new(text);
        if scanner.peek() != Some(b'{') {
            return Ok(question);
        }
        scanner.members(|scanner, key| {
            match &*key.text() {
                "question" => question.asked = build(scanner)?,
                "function" => functions = Some(scanner.value()?),
                _ => return scanner.value().map(drop),
            }
            Ok(())
        })?;
        question.functions = functions.map(|span| self.read(&text[span])).transpose()?;
        Ok(question)
    }

    fn read(&self, text: &[u8]) -> Result<Rc<OfferedFunctions>, ScanStop> {
        let mut last = self.0.borrow_mut();
        if let Some(known) = last.as_ref().filter(|known| *known.text == *text) {
            return Ok(Rc::clone(known));
        }
        let (value, tools) = (parse(text)?, OnceCell::new());
        let read = Rc::new(OfferedFunctions { text: text.into(), value, tools });
        *last = Some(Rc::clone(&read));
        Ok(read)
    }
}

pub(super) fn functions_of(functions: &Value) -> &[Value] {
    functions.as_array().map_or(std::slice::from_ref(functions), Vec::as_slice)
}

pub(super) fn tools(functions: &Value, dots: Dots) -> Arc<[Tool]> {
    let text = |function: &Value, key: &str| {
        function.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let tool = |function: &Value| Tool {
        name: dots.told(&text(function, "name")),
        description: text(function, "description"),
        parameters: schema(function.get("parameters").unwrap_or(&Value::Null)),
    };
    functions_of(functions).iter().map(tool).collect()
}

/// BFCL's names of types, in the words of JSON Schema.
fn schema(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let member = |(key, value): (&String, &Value)| {
                let value = match value {
                    Value::String(name) if key == "type" => json_type(name).into(),
                    other => schema(other),
                };
                (key.clone(), value)
            };
            Value::Object(object.iter().map(member).collect())
        }
        Value::Array(items) => items.iter().map(schema).collect(),
        scalar => scalar.clone(),
    }
}

fn json_type(name: &str) -> &str {
    match name {
        "dict" | "HashMap" | "Hashtable" => "object",
        "float" | "double" => "number",
        "tuple" | "Array" | "ArrayList" | "Queue" | "Stack" | "Set" | "list" => "array",
        "any" | "Any" | "String" | "char" => "string",
        "byte" | "short" | "long" | "Bigint" => "integer",
        "Boolean" | "bool" => "boolean",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_with_the_same_functions_share_them() {
        let last = LastFunctions::default();
        let functions = |name: &str| {
            let text =
                format!(r#"{{"id": "a", "function": [{{"name": "{name}"}}], "question": 1}}"#);
            last.question(text.as_bytes()).unwrap().functions.unwrap()
        };
        let (first, second, other) = (functions("a.b"), functions("a.b"), functions("c"));
        assert!(Rc::ptr_eq(&first, &second) && !Rc::ptr_eq(&first, &other));
        assert!(Arc::ptr_eq(&first.tools(Dots::Keep), &second.tools(Dots::Keep)));
        assert_eq!(first.tools(Dots::Underscore)[0].name, "a_b");
        assert!(other.has("c") && !other.has("a.b"));
        assert!(last.question(b"[1]").unwrap().functions.is_none());
        assert!(last.question(b"{\"function\": [").is_err());
    }
}
