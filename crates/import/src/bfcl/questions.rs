//! The questions of BFCL themselves, to be put to a model.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use toolgauge_core::Case;

use super::Edition;
use super::case::case;
use super::data::{QuestionData, places, question_file};
use super::functions::{Dots, functions_of, tools};
use crate::{ImportError, python_json};

/// The editions whose questions are looked for, the newest first.
const EDITIONS: [Edition; 4] =
    [Edition::Later(4), Edition::Later(3), Edition::Later(2), Edition::V1];

/// Questions of one or more categories of one turn.
#[derive(Debug)]
pub struct BfclQuestions {
    /// The name of the suite: `bfcl-v4`.
    pub suite: String,
    /// The scorer that judges as BFCL does.
    pub scorer: &'static str,
    /// The questions, in the order of the file.
    pub cases: Vec<Case>,
}

impl BfclQuestions {
    /// Reads the questions of these categories, which are separated by commas, from the folder of
    /// BFCL's data.
    pub fn read(categories: &str, folder: &Path) -> Result<Self, ImportError> {
        let mut found: Option<Self> = None;
        let mut read = HashSet::new();
        // A category that is named twice is asked once: its questions have the same names.
        for category in categories.split(',').filter(|category| read.insert(*category)) {
            if let Some(why) = obstacle(category) {
                return Err(ImportError::NotRunnable { category: category.to_owned(), why });
            }
            let (edition, path) = find(category, folder)?;
            let data = QuestionData::open(&path)?;
            let cases = data.ids().map(|id| {
                let (question, answers) = (data.question(id)?, data.answers(id)?);
                let question = question.as_ref();
                let offered = question.and_then(|question| question.functions.as_ref());
                let offered = offered.map_or(&Value::Null, |functions| &functions.value);
                let offered = described(offered, category);
                let mut case = case(id, (edition, category), question, answers, Dots::Underscore);
                case.tools = Some(tools(&offered, Dots::Underscore));
                Ok(case)
            });
            let cases = cases.collect::<Result<Vec<Case>, ImportError>>()?;
            let all = found.get_or_insert_with(|| Self {
                suite: edition.suite(),
                scorer: edition.scorer(),
                cases: Vec::new(),
            });
            all.cases.extend(cases);
        }
        found.ok_or_else(|| no_questions(categories, folder))
    }

    /// The cases, as a suite holds them.
    pub fn shared_cases(self) -> Vec<Arc<Case>> {
        self.cases.into_iter().map(Arc::new).collect()
    }
}

/// Why the questions of a category cannot be put to a model here.
fn obstacle(category: &str) -> Option<&'static str> {
    let begins = |with: &[&str]| with.iter().any(|word| category.starts_with(word));
    if category.contains("multi_turn") {
        return Some("they have several turns, which are played by BFCL's own back ends");
    }
    if begins(&["memory", "web_search", "format_sensitivity"]) {
        return Some("they need tools and prompts of BFCL's own");
    }
    begins(&["exec", "rest"]).then_some("their calls are carried out by BFCL's own tools")
}

fn find(category: &str, folder: &Path) -> Result<(Edition, PathBuf), ImportError> {
    folder.metadata().map_err(ImportError::io(folder))?;
    let found = EDITIONS
        .iter()
        .find_map(|edition| Some((*edition, question_file(folder, *edition, category)?)));
    found.ok_or_else(|| no_questions(category, folder))
}

fn no_questions(category: &str, folder: &Path) -> ImportError {
    let name = |path: PathBuf| {
        let name = path.file_name()?.to_str()?.strip_suffix(".json")?;
        let later = name.strip_prefix("BFCL_v").and_then(|rest| rest.split_once('_'));
        let category = match later {
            Some((_, category)) => category,
            None => name.strip_prefix("gorilla_openfunctions_v1_test_")?,
        };
        obstacle(category).is_none().then(|| category.to_owned())
    };
    let files = places(folder).filter_map(|place| place.read_dir().ok()).flatten().flatten();
    let mut known: Vec<String> = files.filter_map(|file| name(file.path())).collect();
    known.sort();
    known.dedup();
    ImportError::NoQuestions { category: category.to_owned(), folder: folder.to_owned(), known }
}

/// The functions as BFCL describes them to a model: with the language they are of. Arguments in
/// Java and JavaScript are texts.
fn described(functions: &Value, category: &str) -> Value {
    let (language, syntax) = match category {
        _ if category.contains("javascript") => ("JavaScript", "JavaScript"),
        _ if category.contains("java") => ("Java", "Java 8 SDK"),
        _ => ("", "Python 3"),
    };
    let describe = |function: &Value| {
        let mut function = function.clone();
        let hint = format!(" Note that the provided function is in {syntax} syntax.");
        add_words(&mut function, &hint);
        let properties = function.pointer_mut("/parameters/properties");
        if let (false, Some(Value::Object(properties))) = (language.is_empty(), properties) {
            properties.values_mut().for_each(|value| as_text(value, language));
        }
        function
    };
    functions_of(functions).iter().map(describe).collect()
}

/// Makes a parameter of another language a text, and says what the text stands for.
fn as_text(parameter: &mut Value, language: &str) {
    let kind = parameter.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    add_words(
        parameter,
        &if kind == "any" {
            format!(
                " This parameter can be of any type of {language} object in string representation."
            )
        } else {
            format!(" This is {language} {kind} type parameter in string representation.")
        },
    );
    let Value::Object(object) = parameter else { return };
    let removed = match kind.as_str() {
        "ArrayList" | "Array" | "array" => object.shift_remove("items").map(|items| {
            let item = items.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
            format!(" The list elements are of type {item}; they are not in string representation.")
        }),
        "dict" => object.shift_remove("properties").map(|properties| {
            let mut schema = String::new();
            python_json::write(&properties, &mut schema);
            format!(
                " The dictionary entries have the following schema; they are not in string \
                 representation. {schema}"
            )
        }),
        _ => None,
    };
    object.insert("type".into(), "string".into());
    add_words(parameter, &removed.unwrap_or_default());
}

fn add_words(object: &mut Value, words: &str) {
    let Value::Object(object) = object else { return };
    let known = object.get("description").and_then(Value::as_str).unwrap_or_default();
    let words = format!("{known}{words}");
    object.insert("description".into(), words.into());
}
