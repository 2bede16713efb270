//! A llama.cpp server of a run's own, for a model that is a file.

use std::path::Path;

use toolgauge_model::{LlamaServer, LlamaSettings};

use crate::error::EngineError;
use crate::settings::{Protocol, Settings};
use crate::waiting::Waiting;

/// Starts a llama.cpp server if the model is a GGUF file, and points the settings to it.
pub async fn start(
    model: &mut String,
    settings: &mut Settings,
    waiting: &Waiting<'_>,
) -> Result<Option<LlamaServer>, EngineError> {
    let file = Path::new(&*model);
    if !is_file(file) {
        return Ok(None);
    }
    let llama = LlamaSettings {
        program: settings.server.llama_server.clone(),
        flags: settings.server.llama_flags.clone(),
        ..LlamaSettings::new(file)
    };
    let words = format!("starting llama.cpp with `{}`", file.display());
    let server = waiting.wait_for(&words, LlamaServer::start(&llama)).await??;
    settings.server.base_url = server.endpoint().to_string().into();
    settings.server.protocol = Protocol::OpenAi;
    // The server was started for this very file, by whatever name it calls it.
    settings.server.any_model = true;
    if let Some(name) = file.file_stem() {
        *model = name.to_string_lossy().into_owned();
    }
    Ok(Some(server))
}

/// Whether a model is a file that a server is started for.
pub fn is_file(model: &Path) -> bool {
    model.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gguf"))
}

/// Stops a server that was started for a model, if one was.
pub async fn stop(server: Option<LlamaServer>) {
    if let Some(server) = server {
        server.stop().await;
    }
}
