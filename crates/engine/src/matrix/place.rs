//! Where the models of a matrix are, and how they are reached.

use std::path::Path;

use serde_json::Value;
use toolgauge_core::CellName;
use toolgauge_suite::{Matrix, MatrixModel, ModelPlace, Sampling};

use super::matrix_request::MatrixRequest;
use crate::chatbot_name::public_name;
use crate::error::EngineError;
use crate::invocation::Invocation;
use crate::settings::Layer;

/// The places of a model: each with what its cells are called so far, and how to reach it.
pub(super) fn places(
    matrix: &Matrix,
    model: &MatrixModel,
    demand: &MatrixRequest<'_>,
) -> Result<Vec<(CellName, Invocation)>, EngineError> {
    let layer = layer(matrix, model, demand);
    let mut settings = demand.project.with_layers(&[layer.table(), demand.flags.clone()])?;
    let folder = Path::new(&settings.run.log_dir).join(&matrix.name);
    settings.run.log_dir = folder.display().to_string();
    let mut body = model.sampling.extra.clone();
    body.extend(demand.body.clone());
    let scorers = if demand.scorers.is_empty() { &matrix.scorers } else { demand.scorers };
    let usual = Invocation {
        body,
        scorers: scorers.to_vec(),
        fixes: demand.fixes.clone(),
        ..Invocation::new(resolved(&matrix.suite, &matrix.folder), "", settings)
    };
    let name = CellName { model: public_name(&model.name), ..CellName::default() };
    let ModelPlace::Files { quantisations, contexts, flags } = &model.place else {
        return Ok(vec![(name, Invocation { model: elsewhere(model, matrix), ..usual })]);
    };
    let contexts: Vec<Option<u64>> = match contexts.as_slice() {
        [] => vec![None],
        contexts => contexts.iter().copied().map(Some).collect(),
    };
    let mut places = Vec::new();
    for (quantisation, file) in quantisations {
        for context in &contexts {
            let mut invocation = Invocation { model: file.display().to_string(), ..usual.clone() };
            let server = &mut invocation.settings.server;
            // Behind the flags of the settings: llama.cpp takes the last of several equal ones.
            server.llama_flags.extend(flags.iter().cloned());
            if let Some(tokens) = context {
                server.llama_flags.extend(["--ctx-size".to_owned(), tokens.to_string()]);
            }
            let quantisation = Some(quantisation.clone());
            let name = CellName { quantisation, context: *context, ..name.clone() };
            places.push((name, invocation));
        }
    }
    Ok(places)
}

/// The name of a model that is not served here. A script is looked for beside the matrix.
fn elsewhere(model: &MatrixModel, matrix: &Matrix) -> String {
    let ModelPlace::Elsewhere { model, .. } = &model.place else { return String::new() };
    match model.split_once(':') {
        Some((kind @ ("script" | "replay"), file)) => {
            format!("{kind}:{}", matrix.folder.join(file).display())
        }
        _ => model.clone(),
    }
}

/// What the file says of settings, as a layer below the flags.
fn layer(matrix: &Matrix, model: &MatrixModel, demand: &MatrixRequest<'_>) -> Layer {
    let (base_url, key_variable) = match &model.place {
        ModelPlace::Files { .. } => (None, None),
        ModelPlace::Elsewhere { base_url, key_variable, .. } => {
            (base_url.clone(), key_variable.clone())
        }
    };
    let trials = demand.trials.or(matrix.trials).map(i64::from);
    let limits = matrix.limits;
    sampling(&model.sampling)
        .with("run", "trials", trials)
        .with("server", "base_url", base_url)
        .with("server", "key_variable", key_variable)
        .with("limits", "attempt_timeout", Some(limits.attempt_timeout))
        .with("limits", "retries", Some(i64::from(limits.retries)))
        .with("limits", "trial_timeout", limits.trial_timeout)
}

fn sampling(sampling: &Sampling) -> Layer {
    let whole = |number: Option<u64>| number.and_then(|number| i64::try_from(number).ok());
    let tool_choice = sampling.tool_choice.as_ref().and_then(Value::as_str).map(str::to_owned);
    Layer::default()
        .with("sampling", "temperature", sampling.temperature)
        .with("sampling", "top_p", sampling.top_p)
        .with("sampling", "max_tokens", whole(sampling.max_tokens))
        .with("sampling", "seed", whole(sampling.seed))
        .with("sampling", "tool_choice", tool_choice)
        .with("sampling", "parallel_tool_calls", sampling.parallel_tool_calls)
}

/// A suite seen from the matrix if there is one, else as it is named.
pub(super) fn resolved(name: &str, folder: &Path) -> String {
    let beside = folder.join(name);
    if beside.exists() { beside.display().to_string() } else { name.to_owned() }
}
