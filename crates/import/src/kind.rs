//! The kinds of result files.

/// What tool wrote a result, as far as it can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResultKind {
    /// The Berkeley Function Calling Leaderboard.
    Bfcl,
    /// τ²-bench.
    Tau2,
    /// τ-bench.
    TauBench,
    /// home-assistant-datasets.
    HaDatasets,
    /// promptfoo.
    Promptfoo,
    /// `DeepEval`.
    DeepEval,
    /// agentevals and other exports of `LangSmith`.
    Agentevals,
    /// Spans of OpenTelemetry.
    Otlp,
    /// Traces of Langfuse.
    Langfuse,
    /// Spans of Phoenix.
    Phoenix,
    /// Answers of OpenAI's services.
    OpenAi,
    /// Logs of OpenAI's evals.
    OpenAiEvals,
    /// Conversations in the form of `ShareGPT`.
    ShareGpt,
    /// Trajectories of agents in the form of Harbor.
    Atif,
    /// Logs of Inspect AI in JSON, which need no import.
    InspectJson,
}

impl ResultKind {
    /// All that can be imported.
    pub const ALL: [Self; 14] = [
        Self::Bfcl,
        Self::Tau2,
        Self::TauBench,
        Self::HaDatasets,
        Self::Promptfoo,
        Self::DeepEval,
        Self::Agentevals,
        Self::Otlp,
        Self::Langfuse,
        Self::Phoenix,
        Self::OpenAi,
        Self::OpenAiEvals,
        Self::ShareGpt,
        Self::Atif,
    ];

    /// The name on the command line, and the one for people.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Bfcl => ("bfcl", "Berkeley Function Calling Leaderboard"),
            Self::Tau2 => ("tau2", "τ²-bench"),
            Self::TauBench => ("tau-bench", "τ-bench"),
            Self::HaDatasets => ("ha-datasets", "home-assistant-datasets"),
            Self::Promptfoo => ("promptfoo", "promptfoo"),
            Self::DeepEval => ("deepeval", "DeepEval"),
            Self::Agentevals => ("agentevals", "agentevals"),
            Self::Otlp => ("otlp", "OpenTelemetry"),
            Self::Langfuse => ("langfuse", "Langfuse"),
            Self::Phoenix => ("phoenix", "Phoenix"),
            Self::OpenAi => ("openai", "OpenAI"),
            Self::OpenAiEvals => ("openai-evals", "OpenAI evals"),
            Self::ShareGpt => ("sharegpt", "ShareGPT"),
            Self::Atif => ("atif", "ATIF"),
            Self::InspectJson => ("inspect-json", "Inspect AI"),
        }
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.names().0
    }

    /// The name for people.
    pub fn title(self) -> &'static str {
        self.names().1
    }

    /// The kind of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
