//! What the tests of this crate share.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use toolgauge_core::{Briefing, Reply, Request, Subject};
use toolgauge_core::{Message, Tool, TrialFailure, TrialId};
use toolgauge_model::{Connection, Endpoint, OpenAiSettings, RetryPolicy};

/// A briefing that offers tools of these names.
pub(crate) fn briefing<S: AsRef<str>>(tools: &[S]) -> Briefing {
    let tool = |name: &S| Tool {
        name: name.as_ref().to_owned(),
        description: "does it".into(),
        parameters: json!({"type": "object", "properties": {"name": {"type": "string"}}}),
    };
    Briefing { system: Some("be brief".into()), tools: tools.iter().map(tool).collect() }
}

/// Settings with little patience, for a server on this machine.
pub(crate) fn settings(url: &str, stream: bool) -> OpenAiSettings {
    let mut connection = Connection::to(Endpoint::parse(url).unwrap());
    connection.timeout = Duration::from_secs(20);
    connection.retry = RetryPolicy {
        retries: 0,
        first_pause: Duration::from_millis(1),
        longest_pause: Duration::from_millis(5),
        longest_asked_pause: Duration::from_millis(100),
        seed: Some(1),
    };
    OpenAiSettings { stream, ..OpenAiSettings::new(connection, "m") }
}

/// Waits until nobody listens at an address any more.
pub(crate) async fn closed(url: &str) {
    let address = url.trim_start_matches("http://").split('/').next().unwrap();
    while tokio::net::TcpStream::connect(address).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Asks one question.
pub(crate) async fn ask(
    subject: &dyn Subject,
    briefing: &Arc<Briefing>,
) -> Result<Reply, TrialFailure> {
    let conversation = [Message::user("turn on the lamp")];
    let trial = TrialId { case: "case".into(), trial: 1 };
    let request = Request { briefing, conversation: &conversation, trial: &trial, seed: Some(7) };
    subject.answer(request).await
}
