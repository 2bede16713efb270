//! The server that tells how alike keywords and answers are, as the settings name it.

use std::pin::Pin;
use std::sync::Arc;

use toolgauge_core::Case;
use toolgauge_model::{EmbeddingServer, Endpoint};
use toolgauge_runner::{Embedder, LikenessGauge};
use toolgauge_score::likened_phrases;

use crate::error::EngineError;
use crate::keys;
use crate::settings::Settings;

/// A server of embeddings, asked by a gauge.
struct AskedServer(EmbeddingServer);

impl Embedder for AskedServer {
    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> Pin<Box<dyn Future<Output = Result<Vec<Vec<f32>>, String>> + Send + 'a>> {
        Box::pin(async { self.0.embed(texts).await.map_err(|error| error.to_string()) })
    }
}

/// The gauge of the server that the settings name, if they name one.
pub fn gauge(settings: &Settings) -> Result<Option<LikenessGauge>, EngineError> {
    let Some(named) = &settings.embeddings else { return Ok(None) };
    // Never the key of the model: the two servers may belong to different people.
    let variable = named.key_variable.as_deref();
    let key = variable.map(|name| keys::key(name, None)).transpose()?.flatten();
    let endpoint = Endpoint::parse(&named.base_url)?;
    let server = EmbeddingServer::new(&endpoint, named.model.clone(), key.as_ref())?;
    Ok(Some(LikenessGauge::new(AskedServer(server))))
}

/// The gauge that these cases need; `None` if their suite compares no keywords by what they mean.
/// Without a server such cases would be held to something else than their suite says.
pub fn needed_by<'c>(
    cases: impl IntoIterator<Item = &'c Arc<Case>>,
    settings: &Settings,
) -> Result<Option<LikenessGauge>, EngineError> {
    let is_needed = cases.into_iter().any(|case| !likened_phrases(case).is_empty());
    if !is_needed {
        return Ok(None);
    }
    gauge(settings)?.ok_or(EngineError::NoEmbeddings).map(Some)
}

/// Refuses a server that cannot be asked.
pub async fn check(gauge: &LikenessGauge) -> Result<(), EngineError> {
    gauge.check().await.map_err(|why| EngineError::Embeddings { why })
}
