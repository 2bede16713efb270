//! A server that turns texts into vectors: `/v1/embeddings`, as llama.cpp and others have it.

use serde::Deserialize;
use serde_json::json;

use crate::connection::ConnectionError;
use crate::endpoint::Endpoint;
use crate::poster::{JsonPoster, PostError};
use crate::quote::quote;
use crate::secret::Secret;

/// A server of embeddings.
#[derive(Debug)]
pub struct EmbeddingServer {
    poster: JsonPoster,
    address: String,
    model: Option<String>,
}

/// Why texts have no vectors.
#[derive(Debug, thiserror::Error)]
pub enum EmbeddingError {
    /// The server did not answer, or refused.
    #[error(transparent)]
    Post(#[from] PostError),
    /// What it answered is no list of vectors.
    #[error("`{address}` gives no embeddings: {why}")]
    Unreadable {
        /// The address, without secrets.
        address: String,
        /// What is wrong with the answer.
        why: String,
    },
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Embedding>,
}

#[derive(Deserialize)]
struct Embedding {
    index: usize,
    embedding: Vec<f32>,
}

impl EmbeddingServer {
    /// Prepares to ask the server at this base URL; nothing is sent yet.
    pub fn new(
        base: &Endpoint,
        model: Option<String>,
        key: Option<&Secret>,
    ) -> Result<Self, ConnectionError> {
        let key = key.map(|key| Secret::new(format!("Bearer {}", key.expose())));
        let headers = key.map(|key| ("Authorization".to_owned(), key)).into_iter().collect();
        let endpoint = base.at("embeddings");
        let address = endpoint.to_string();
        Ok(Self { poster: JsonPoster::new(endpoint, headers)?, address, model })
    }

    /// The vector of each text, in order.
    pub async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let mut body = json!({"input": texts, "encoding_format": "float"});
        if let Some(model) = &self.model {
            body["model"] = model.as_str().into();
        }
        let answer = self.poster.post(body.to_string().into_bytes()).await?;
        let unreadable =
            |why: String| EmbeddingError::Unreadable { address: self.address.clone(), why };
        let read: Answer = serde_json::from_str(&answer)
            .map_err(|error| unreadable(format!("{error} in {}", quote(&answer))))?;
        let mut vectors = vec![Vec::new(); texts.len()];
        for Embedding { index, embedding } in read.data {
            if let Some(place) = vectors.get_mut(index) {
                *place = embedding;
            }
        }
        let length = vectors.first().map_or(0, Vec::len);
        if length == 0 || vectors.iter().any(|vector| vector.len() != length) {
            let why = format!("{} texts have no vectors of one length", texts.len());
            return Err(unreadable(why));
        }
        Ok(vectors)
    }
}
