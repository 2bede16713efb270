//! Reads the file of a matrix.

use std::path::PathBuf;

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::{Matrix, MatrixLimits, MatrixModel, MatrixPrompt, MatrixSurroundings, ModelPlace};
use crate::fields::{FieldNames, ObjectFields, kind};
use crate::manifest::{read_name, read_names};
use crate::nearest::suggest;
use crate::sampling_form::read_sampling;
use crate::suite::{Sampling, Suite};
use crate::suite_reader::SuiteReader;
use crate::trail::{Origin, Trail};

pub(crate) static MATRIX: FieldNames = FieldNames {
    noun: "a matrix",
    fields: &[
        "name",
        "description",
        "suite",
        "trials",
        "scorers",
        "models",
        "contexts",
        "prompts",
        "tiers",
        "flags",
        "sampling",
        "limits",
        "$schema",
    ],
    synonyms: &[
        ("model", "models"),
        ("runs", "trials"),
        ("epochs", "trials"),
        ("ctx", "contexts"),
        ("context", "contexts"),
        ("variants", "prompts"),
        ("temperature", "sampling"),
        ("timeout", "limits"),
    ],
};

pub(crate) static MODEL: FieldNames = FieldNames {
    noun: "a model of a matrix",
    fields: &[
        "name",
        "description",
        "quantisations",
        "model",
        "base_url",
        "key_variable",
        "contexts",
        "prompts",
        "flags",
        "sampling",
    ],
    synonyms: &[
        ("quantizations", "quantisations"),
        ("quants", "quantisations"),
        ("files", "quantisations"),
        ("url", "base_url"),
        ("ctx", "contexts"),
        ("temperature", "sampling"),
    ],
};

pub(crate) static PROMPT: FieldNames = FieldNames {
    noun: "a prompt of a matrix",
    fields: &["description", "variant", "world", "instructions"],
    synonyms: &[("system", "instructions"), ("file", "instructions")],
};

pub(crate) static LIMITS: FieldNames = FieldNames {
    noun: "the limits of a matrix",
    fields: &["attempt_timeout", "trial_timeout", "retries"],
    synonyms: &[("timeout", "attempt_timeout"), ("max_retries", "retries")],
};

/// What holds for every model that does not say otherwise.
struct Defaults {
    contexts: Vec<u64>,
    flags: Vec<String>,
    sampling: Sampling,
    prompts: Vec<String>,
}

pub(super) fn read(
    reader: &SuiteReader,
    value: Value,
    surroundings: &MatrixSurroundings<'_>,
) -> Option<Matrix> {
    let trail = Origin::document(0).trail();
    let mut fields = ObjectFields::open(value, &MATRIX, &trail, &reader.findings)?;
    let folder = reader.files.folder().map(PathBuf::from).unwrap_or_default();
    let suite_name = fields.text("suite").unwrap_or_else(|| "home-assistant".to_owned());
    let suite = (surroundings.suite)(&suite_name, &folder);
    let prompts = read_prompts(reader, &mut fields, suite.as_ref());
    let defaults = Defaults {
        contexts: read_contexts(&mut fields),
        flags: read_names(&mut fields, "flags").unwrap_or_default(),
        sampling: read_sampling(fields.take("sampling"), &trail.key("sampling"), reader),
        prompts: prompts.keys().cloned().collect(),
    };
    let limits = read_limits(reader, fields.take("limits"), &trail.key("limits"));
    let scorers = read_names(&mut fields, "scorers").unwrap_or_default();
    each_known(&fields, "scorers", &scorers, surroundings.scorers);
    let tiers = read_names(&mut fields, "tiers").unwrap_or_default();
    if let Some(suite) = &suite {
        each_known(&fields, "tiers", &tiers, &tiers_of(suite));
    }
    let models = read_models(reader, &mut fields, &defaults);
    Some(Matrix {
        name: read_name(&mut fields).unwrap_or_default(),
        suite: suite_name,
        folder,
        trials: fields.whole("trials", 1).map(|trials| u32::try_from(trials).unwrap_or(u32::MAX)),
        scorers,
        models,
        prompts,
        tiers,
        limits,
    })
}

fn tiers_of(suite: &Suite) -> Vec<String> {
    let mut tiers: Vec<String> = Vec::new();
    for tier in suite.cases.iter().filter_map(|case| case.tags.get("tier")) {
        if !tiers.contains(tier) {
            tiers.push(tier.clone());
        }
    }
    tiers
}

/// Notes each name of a list that is not known, or that is given twice.
fn each_known<S: AsRef<str>>(fields: &ObjectFields<'_>, key: &str, names: &[String], known: &[S]) {
    let trail = fields.trail.key(key);
    for (index, name) in names.iter().enumerate() {
        let here = trail.index(index);
        if !known.iter().any(|known| known.as_ref() == name) {
            let message = format!("there is no `{name}` among the {key}");
            fields.findings.error_with(&here, message, suggest(name, key, known));
        } else if names[..index].contains(name) {
            fields.findings.error(&here, format!("`{name}` is given twice"));
        }
    }
}

fn read_contexts(fields: &mut ObjectFields<'_>) -> Vec<u64> {
    let trail = fields.trail.key("contexts");
    let items = match fields.take("contexts") {
        None => return Vec::new(),
        Some(Value::Array(items)) => items,
        Some(one) => vec![one],
    };
    let mut contexts = Vec::new();
    for (index, item) in items.iter().enumerate() {
        if let Some(tokens) = item.as_u64().filter(|tokens| *tokens > 0) {
            contexts.push(tokens);
        } else {
            let message = format!("a context is a number of tokens, but this is `{item}`");
            fields.findings.error_with(&trail.index(index), message, "such as 16384".to_owned());
        }
    }
    contexts
}

fn read_prompts(
    reader: &SuiteReader,
    fields: &mut ObjectFields<'_>,
    suite: Option<&Suite>,
) -> IndexMap<String, MatrixPrompt> {
    let trail = fields.trail.key("prompts");
    let mut prompts = IndexMap::new();
    for (name, value) in fields.object("prompts").unwrap_or_default() {
        let here = trail.key(&name);
        // A prompt that changes nothing may be written with nothing behind its name.
        let value = if value.is_null() { Value::Object(Map::new()) } else { value };
        let prompt = read_prompt(reader, value, &here, suite);
        prompts.extend(prompt.map(|prompt| (name.clone(), prompt)));
    }
    if prompts.is_empty() {
        // Without prompts a matrix still has one, the suite's own; its empty name is shown nowhere.
        prompts.insert(String::new(), MatrixPrompt::default());
    }
    prompts
}

fn read_prompt(
    reader: &SuiteReader,
    value: Value,
    trail: &Trail<'_>,
    suite: Option<&Suite>,
) -> Option<MatrixPrompt> {
    let mut fields = ObjectFields::open(value, &PROMPT, trail, &reader.findings)?;
    let variant = fields.text("variant");
    if let (Some(variant), Some(suite)) = (&variant, suite)
        && !suite.variants.contains_key(variant)
    {
        let known: Vec<&String> = suite.variants.keys().collect();
        let message = format!("the suite has no variant `{variant}`");
        reader.findings.error_with(
            &trail.key("variant"),
            message,
            suggest(variant, "variants", &known),
        );
    }
    let mut world = fields.object("world").unwrap_or_default();
    if let Some(file) = fields.text("instructions") {
        let text = reader.text(&file, &trail.key("instructions"));
        world.extend(text.map(|(_, text)| ("instructions".to_owned(), json!({"text": text}))));
    }
    Some(MatrixPrompt { variant, world })
}

fn read_limits(reader: &SuiteReader, value: Option<Value>, trail: &Trail<'_>) -> MatrixLimits {
    let usual = MatrixLimits::default();
    let fields =
        value.and_then(|value| ObjectFields::open(value, &LIMITS, trail, &reader.findings));
    let Some(mut fields) = fields else { return usual };
    let retries = fields.whole("retries", 0);
    MatrixLimits {
        attempt_timeout: fields.amount("attempt_timeout").unwrap_or(usual.attempt_timeout),
        retries: retries
            .map_or(usual.retries, |retries| u32::try_from(retries).unwrap_or(u32::MAX)),
        trial_timeout: fields.amount("trial_timeout"),
    }
}

fn read_models(
    reader: &SuiteReader,
    fields: &mut ObjectFields<'_>,
    defaults: &Defaults,
) -> Vec<MatrixModel> {
    let hint = "write a list: `models: [{name: my-model, quantisations: {Q4_K_M: file.gguf}}]`";
    if !fields.has("models") {
        fields.missing("models", hint);
        return Vec::new();
    }
    let trail = fields.trail.key("models");
    let mut models: Vec<MatrixModel> = Vec::new();
    for (index, value) in fields.list("models").unwrap_or_default().into_iter().enumerate() {
        let here = trail.index(index);
        // A name alone is a model at the run's own server, or one within the program.
        let value = match value {
            Value::String(name) => json!({"name": name, "model": name}),
            value => value,
        };
        let Some(model) = read_model(reader, value, &here, defaults) else { continue };
        if models.iter().any(|other| other.name == model.name) {
            let message = format!("the model `{}` is given twice", model.name);
            let hint = "files of one model stand under its `quantisations`".to_owned();
            reader.findings.error_with(&here, message, hint);
        }
        models.push(model);
    }
    if models.is_empty() && reader.findings.len() == 0 {
        reader.findings.error_with(&trail, "the matrix has no models", hint.to_owned());
    }
    models
}

fn read_model(
    reader: &SuiteReader,
    value: Value,
    trail: &Trail<'_>,
    defaults: &Defaults,
) -> Option<MatrixModel> {
    let mut fields = ObjectFields::open(value, &MODEL, trail, &reader.findings)?;
    let name = fields.required_text("name", "tables call it by that");
    let sampling = read_sampling(fields.take("sampling"), &trail.key("sampling"), reader);
    let prompts = read_names(&mut fields, "prompts");
    if let Some(prompts) = &prompts {
        each_known(&fields, "prompts", prompts, &defaults.prompts);
    }
    let place = read_place(reader, &mut fields, defaults)?;
    Some(MatrixModel {
        name: name?,
        place,
        prompts: prompts.unwrap_or_else(|| defaults.prompts.clone()),
        sampling: defaults.sampling.overlaid(&sampling),
    })
}

fn read_place(
    reader: &SuiteReader,
    fields: &mut ObjectFields<'_>,
    defaults: &Defaults,
) -> Option<ModelPlace> {
    let wrong = |key: &str, message: &str, hint: &str| {
        reader.findings.error_with(&fields.trail.key(key), message.to_owned(), hint.to_owned());
    };
    match (fields.has("quantisations"), fields.has("model")) {
        (true, false) => {
            for key in ["base_url", "key_variable"].into_iter().filter(|key| fields.has(key)) {
                wrong(key, "files are served here", "a model at a server has a `model` instead");
            }
            let own_contexts = fields.has("contexts");
            let contexts = read_contexts(fields);
            Some(ModelPlace::Files {
                quantisations: read_files(reader, fields),
                contexts: if own_contexts { contexts } else { defaults.contexts.clone() },
                flags: read_names(fields, "flags").unwrap_or_else(|| defaults.flags.clone()),
            })
        }
        (false, true) => {
            for key in ["contexts", "flags"].into_iter().filter(|key| fields.has(key)) {
                let hint = "the server was started without us; this goes with `quantisations`";
                wrong(key, "only files are served here", hint);
            }
            Some(ModelPlace::Elsewhere {
                model: fields.text("model")?,
                base_url: fields.text("base_url"),
                key_variable: fields.text("key_variable"),
            })
        }
        (both, _) => {
            let message =
                if both { "a model is a file or at a server" } else { "where is this model?" };
            let hint = "give `quantisations` with GGUF files, or `model` with its name at a server";
            reader.findings.error_with(fields.trail, message, hint.to_owned());
            None
        }
    }
}

/// The GGUF files by quantisation. They are looked for now: a night's run should not end at the
/// third model.
fn read_files(reader: &SuiteReader, fields: &mut ObjectFields<'_>) -> IndexMap<String, PathBuf> {
    let trail = fields.trail.key("quantisations");
    let folder = reader.files.folder().map(PathBuf::from).unwrap_or_default();
    let mut files = IndexMap::new();
    for (name, value) in fields.object("quantisations").unwrap_or_default() {
        let here = trail.key(&name);
        let Value::String(file) = &value else {
            let message =
                format!("this is {}, but should be the name of a GGUF file", kind(&value));
            reader.findings.error(&here, message);
            continue;
        };
        let path = folder.join(file);
        if !path.is_file() {
            let hint = format!("it is looked for at `{}`", path.display());
            reader.findings.error_with(&here, format!("there is no file `{file}`"), hint);
        } else if path.extension().is_none_or(|end| !end.eq_ignore_ascii_case("gguf")) {
            let hint = "llama-server reads GGUF files".to_owned();
            reader.findings.error_with(&here, format!("`{file}` does not end in `.gguf`"), hint);
        }
        files.insert(name, path);
    }
    if files.is_empty() && reader.findings.len() == 0 {
        reader.findings.error(&trail, "there is no file under `quantisations`");
    }
    files
}
