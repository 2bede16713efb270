//! The runs that lie in a file or a folder.

use std::path::Path;

use crate::{
    ImportError, ImportOptions, ImportedRun, ResultKind, agentevals, atif, bfcl, deepeval, detect,
    ha_datasets, langfuse, openai, openai_evals, otlp, phoenix, promptfoo, sharegpt, tau_bench,
    tau2,
};

/// The runs in a file or a folder, one for each run and model.
pub fn find_runs(
    path: &Path,
    options: &ImportOptions,
) -> Result<Vec<Box<dyn ImportedRun>>, ImportError> {
    let kind = match options.kind {
        Some(kind) => kind,
        None => detect(path)?,
    };
    match kind {
        ResultKind::Bfcl => bfcl::find_runs(path, options),
        ResultKind::Tau2 => tau2::find_runs(path),
        ResultKind::TauBench => tau_bench::find_runs(path),
        ResultKind::HaDatasets => ha_datasets::find_runs(path),
        ResultKind::Promptfoo => promptfoo::find_runs(path),
        ResultKind::DeepEval => deepeval::find_runs(path),
        ResultKind::Agentevals => agentevals::find_runs(path),
        ResultKind::Otlp => otlp::find_runs(path, options),
        ResultKind::Langfuse => langfuse::find_runs(path),
        ResultKind::Phoenix => phoenix::find_runs(path, options),
        ResultKind::OpenAi => openai::find_runs(path, options),
        ResultKind::OpenAiEvals => openai_evals::find_runs(path),
        ResultKind::ShareGpt => sharegpt::find_runs(path),
        ResultKind::Atif => atif::find_runs(path),
        ResultKind::InspectJson => {
            Err(ImportError::unfit(path, kind, "a log needs no import: commands read it as it is"))
        }
    }
}
