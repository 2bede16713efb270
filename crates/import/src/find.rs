//! The runs that lie in a file or a folder.

use std::path::Path;

use crate::{
    FoundRun, ImportError, ImportOptions, ResultKind, agentevals, atif, bfcl, deepeval, detect,
    ha_datasets, langfuse, openai, openai_evals, otlp, phoenix, promptfoo, sharegpt, tau_bench,
    tau2,
};

/// The runs in a file or a folder, one for each run and model. Only of a folder one can fail alone.
pub fn find_runs(path: &Path, options: &ImportOptions) -> Result<Vec<FoundRun>, ImportError> {
    let kind = match options.kind {
        Some(kind) => kind,
        None => detect(path)?,
    };
    let in_file = match kind {
        ResultKind::Bfcl => return bfcl::find_runs(path, options),
        ResultKind::HaDatasets => return ha_datasets::find_runs(path),
        ResultKind::Tau2 => tau2::find_runs(path),
        ResultKind::TauBench => tau_bench::find_runs(path),
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
    };
    Ok(in_file?.into_iter().map(Ok).collect())
}
