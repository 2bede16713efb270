//! The flags that name a server of embeddings.

use crate::layer::Layer;

/// Who says how alike keywords and answers are.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Likeness of keywords")]
pub(crate) struct EmbeddingFlags {
    /// A server with `/v1/embeddings`, for suites that compare keywords by their likeness.
    ///
    /// Such a suite says from which likeness on a keyword counts that is not said:
    /// `more: {keywords: {likeness: 0.8}}`. What is measured goes into the log.
    #[arg(
        id = "embeddings",
        long = "embeddings",
        value_name = "URL",
        env = "TOOLGAUGE_EMBEDDINGS",
        hide_short_help = true
    )]
    base_url: Option<String>,

    /// The model of that server [default: its own].
    #[arg(
        id = "embeddings-model",
        long = "embeddings-model",
        value_name = "NAME",
        hide_short_help = true
    )]
    model: Option<String>,

    /// The environment variable that holds the key of that server [default: none is sent].
    #[arg(
        id = "embeddings-key-variable",
        long = "embeddings-key-variable",
        value_name = "NAME",
        hide_short_help = true
    )]
    key_variable: Option<String>,
}

impl EmbeddingFlags {
    /// Whether a server is named.
    pub(crate) fn names_address(&self) -> bool {
        self.base_url.is_some()
    }

    /// A layer of settings with what the flags say.
    pub(crate) fn over(&self, layer: Layer) -> Layer {
        layer
            .with("embeddings", "base_url", self.base_url.clone())
            .with("embeddings", "model", self.model.clone())
            .with("embeddings", "key_variable", self.key_variable.clone())
    }
}
