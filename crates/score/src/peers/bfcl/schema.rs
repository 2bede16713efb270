//! A function as a question describes it: names of types of three languages.

use serde_json::{Map, Value};

use super::super::python::PythonType;

/// The language whose types a question uses, told by its category.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Python,
    Java,
    JavaScript,
}

impl Language {
    pub(super) fn of(category: &str) -> Self {
        if category.contains("javascript") {
            Self::JavaScript
        } else if category.contains("java") {
            Self::Java
        } else {
            Self::Python
        }
    }

    /// What Python makes of a type of this language.
    pub(super) fn python_type(self, name: &str) -> Option<PythonType> {
        Some(match (self, name) {
            (Self::Python, "string")
            | (Self::Java, "char" | "String")
            | (Self::JavaScript, "String")
            | (_, "any") => PythonType::Str,
            (Self::Java, "byte" | "short" | "long")
            | (Self::JavaScript, "Bigint")
            | (_, "integer") => PythonType::Int,
            (Self::Java, "double") | (_, "float") => PythonType::Float,
            (Self::Python | Self::Java, "boolean") | (Self::JavaScript, "Boolean") => {
                PythonType::Bool
            }
            (Self::Python, "array" | "tuple")
            | (Self::Java, "Array" | "ArrayList" | "Queue" | "Stack")
            | (Self::JavaScript, "array") => PythonType::List,
            (Self::Java, "Set") => PythonType::Set,
            (Self::Python | Self::JavaScript, "dict") | (Self::Java, "HashMap" | "Hashtable") => {
                PythonType::Dict
            }
            _ => return None,
        })
    }
}

/// The description of a function.
#[derive(Debug)]
pub(super) struct FunctionSchema<'a> {
    pub(super) name: &'a str,
    language: Language,
    properties: &'a Map<String, Value>,
    required: &'a [Value],
}

/// The description of a parameter.
#[derive(Debug)]
pub(super) struct ParameterSchema<'a> {
    pub(super) language: Language,
    /// The type as it is written.
    pub(super) written: &'a str,
    /// What Python makes of it.
    pub(super) python: Option<PythonType>,
    /// The type of the items of a list, as written.
    pub(super) items: Option<&'a str>,
}

impl<'a> FunctionSchema<'a> {
    pub(super) fn of(function: &'a Value, language: Language) -> Option<Self> {
        let parameters = function.get("parameters")?;
        let required = parameters.get("required").and_then(Value::as_array);
        Some(Self {
            name: function.get("name")?.as_str()?,
            language,
            properties: parameters.get("properties")?.as_object()?,
            required: required.map(Vec::as_slice).unwrap_or_default(),
        })
    }

    pub(super) fn required(&self) -> impl Iterator<Item = &'a str> {
        self.required.iter().filter_map(Value::as_str)
    }

    pub(super) fn parameter(&self, name: &str) -> Option<ParameterSchema<'a>> {
        let schema = self.properties.get(name)?;
        let written = schema.get("type").and_then(Value::as_str).unwrap_or_default();
        // Items are looked at only where the tool looks at them.
        let is_list = match self.language {
            Language::Python => matches!(written, "array" | "tuple"),
            Language::Java => matches!(written, "Array" | "ArrayList"),
            Language::JavaScript => written == "array",
        };
        let items = schema.get("items").and_then(|items| items.get("type")?.as_str());
        Some(ParameterSchema {
            language: self.language,
            written,
            python: self.language.python_type(written),
            items: items.filter(|_| is_list),
        })
    }
}

impl ParameterSchema<'_> {
    /// What Python makes of the type of the items.
    pub(super) fn item_type(&self) -> Option<PythonType> {
        self.items.and_then(|items| self.language.python_type(items))
    }
}
