//! Keys that a command prints, as `credential_process` of a profile names one.

use std::process::Stdio;
use std::sync::Arc;
use std::time::SystemTime;

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use object_store::aws::AwsCredential;
use object_store::{CredentialProvider, Result};
use serde::Deserialize;
use tokio::process::Command;
use tokio::sync::Mutex;

use crate::failure::NoKeys;

/// How long before their end keys are asked for again.
const AHEAD: SignedDuration = SignedDuration::from_mins(2);

/// Asks a command for keys, and again when they are about to end.
#[derive(Debug)]
pub(crate) struct KeyProcess {
    words: Vec<String>,
    known: Mutex<Option<(Arc<AwsCredential>, Option<Timestamp>)>>,
}

/// What a command prints.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct PrintedKeys {
    access_key_id: String,
    secret_access_key: String,
    session_token: Option<String>,
    expiration: Option<Timestamp>,
}

impl KeyProcess {
    pub(crate) fn new(words: Vec<String>) -> Self {
        Self { words, known: Mutex::default() }
    }

    async fn ask(&self) -> Result<PrintedKeys, NoKeys> {
        let program = self.words.first().map_or("", String::as_str);
        // What it has to say to people goes to them, such as that they must sign in again.
        let ran = Command::new(program)
            .args(self.words.iter().skip(1))
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .await;
        let ran = ran.map_err(|error| NoKeys(format!("cannot run `{program}`: {error}")))?;
        if !ran.status.success() {
            return Err(NoKeys(format!("`{program}` ended with {}", ran.status)));
        }
        let wrong = |_| NoKeys(format!("what `{program}` printed are no keys"));
        serde_json::from_slice(&ran.stdout).map_err(wrong)
    }
}

#[async_trait]
impl CredentialProvider for KeyProcess {
    type Credential = AwsCredential;

    async fn get_credential(&self) -> Result<Arc<AwsCredential>> {
        let mut known = self.known.lock().await;
        // A clock that is beyond all times asks for keys each time.
        let now = Timestamp::try_from(SystemTime::now()).unwrap_or(Timestamp::MAX);
        if let Some((keys, end)) = &*known
            && end.is_none_or(|end| end.duration_since(now) > AHEAD)
        {
            return Ok(keys.clone());
        }
        let printed = self.ask().await.map_err(|error| object_store::Error::Generic {
            store: "S3",
            source: Box::new(error),
        })?;
        let keys = Arc::new(AwsCredential {
            key_id: printed.access_key_id,
            secret_key: printed.secret_access_key,
            token: printed.session_token,
        });
        *known = Some((keys.clone(), printed.expiration));
        Ok(keys)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn process(folder: &std::path::Path, end: &str) -> KeyProcess {
        let count = folder.join("asked").display().to_string();
        let printed = format!(
            r#"{{"Version": 1, "AccessKeyId": "A", "SecretAccessKey": "B", "Expiration": "{end}"}}"#
        );
        let line = format!("echo asked >> '{count}'; echo '{printed}'");
        KeyProcess::new(["sh", "-c", &line].map(str::to_owned).to_vec())
    }

    #[tokio::test]
    async fn keys_are_asked_for_once_until_they_are_about_to_end() {
        for (end, asked) in [("2999-01-01T00:00:00Z", 1), ("2001-01-01T00:00:00+00:00", 3)] {
            let folder = tempfile::tempdir().unwrap();
            let process = process(folder.path(), end);
            for _ in 0..3 {
                let keys = process.get_credential().await.unwrap();
                assert_eq!((keys.key_id.as_str(), keys.secret_key.as_str()), ("A", "B"));
            }
            let lines = std::fs::read_to_string(folder.path().join("asked")).unwrap();
            assert_eq!(lines.lines().count(), asked, "{end}");
        }
    }

    #[tokio::test]
    async fn a_command_without_keys_is_named_and_what_it_printed_is_not() {
        for (line, why) in [("echo s3cr3t", "printed are no keys"), ("exit 3", "status: 3")] {
            let process = KeyProcess::new(["sh", "-c", line].map(str::to_owned).to_vec());
            let error = process.get_credential().await.unwrap_err();
            let said = crate::failure::explain(&error, "b");
            assert_eq!(said.kind(), std::io::ErrorKind::PermissionDenied);
            assert!(
                said.to_string().contains(why) && !said.to_string().contains("s3cr3t"),
                "{said}"
            );
        }
    }
}
