//! What a store's failure is called. What a server sends is looked at and never repeated: it may
//! hold the key, the signature or an address with a token in it.

use std::fmt;
use std::io::{self, ErrorKind};

use object_store::Error;

/// What stores call a bucket that is not there.
const NO_BUCKET: [&str; 3] =
    ["NoSuchBucket", "ContainerNotFound", "specified bucket does not exist"];

/// The command gave no keys. What it printed is not repeated: there may be keys in it.
#[derive(Debug)]
pub(crate) struct NoKeys(pub(crate) String);

impl fmt::Display for NoKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no credentials: {}", self.0)
    }
}

impl std::error::Error for NoKeys {}

/// A failure in words of our own.
pub(crate) fn explain(error: &Error, bucket: &str) -> io::Error {
    if let Error::Generic { source, .. } = error
        && let Some(none) = source.downcast_ref::<NoKeys>()
    {
        return io::Error::new(ErrorKind::PermissionDenied, none.to_string());
    }
    let said = error.to_string();
    // In a listing this is no `NotFound` of the library.
    if NO_BUCKET.iter().any(|name| said.contains(name)) {
        return no_bucket(bucket);
    }
    let (kind, why) = match error {
        Error::NotFound { .. } => (ErrorKind::NotFound, "there is no such object".to_owned()),
        Error::AlreadyExists { .. } | Error::Precondition { .. } | Error::NotModified { .. } => {
            (ErrorKind::AlreadyExists, "there is another object".to_owned())
        }
        _ if matches!(status(&said), Some(401 | 403)) => {
            let code = code(&said).map(|code| format!(" ({code})")).unwrap_or_default();
            (ErrorKind::PermissionDenied, format!("the store refuses the credentials{code}"))
        }
        Error::NotSupported { .. } | Error::NotImplemented { .. } => {
            (ErrorKind::Unsupported, "the store cannot do that".to_owned())
        }
        _ => unreached(error, &said),
    };
    io::Error::new(kind, why)
}

/// Says that a bucket is not there.
pub(crate) fn no_bucket(bucket: &str) -> io::Error {
    io::Error::new(ErrorKind::NotFound, format!("there is no bucket `{bucket}`"))
}

/// A failure on the way to the store, or of its server.
fn unreached(error: &Error, said: &str) -> (ErrorKind, String) {
    if said.contains("169.254.") || said.contains("metadata.google") {
        let why =
            "no credentials: neither the environment, a profile nor this machine's role has any";
        return (ErrorKind::PermissionDenied, why.to_owned());
    }
    if said.contains("without LOCATION") {
        return (ErrorKind::InvalidInput, "the bucket is in another region".to_owned());
    }
    if let Some(status) = status(said) {
        let code = code(said).map(|code| format!(" ({code})")).unwrap_or_default();
        return (ErrorKind::ConnectionAborted, format!("the store answers {status}{code}"));
    }
    // The last cause names what the system said: a refused connection, an unknown host.
    let mut cause: &dyn std::error::Error = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    match cause.downcast_ref::<io::Error>() {
        Some(system) => (not_other(system.kind()), format!("it cannot be reached: {system}")),
        None if said.contains("timed out") || said.contains("timeout") => {
            (ErrorKind::TimedOut, "the store does not answer".to_owned())
        }
        None => (ErrorKind::ConnectionAborted, "the store could not be asked".to_owned()),
    }
}

/// Kinds that speak of a file's content would make a log count as damaged.
fn not_other(kind: ErrorKind) -> ErrorKind {
    match kind {
        ErrorKind::Other | ErrorKind::UnexpectedEof | ErrorKind::InvalidData => {
            ErrorKind::ConnectionAborted
        }
        kind => kind,
    }
}

/// The code that a store gives to a failure: `<Code>SignatureDoesNotMatch</Code>`.
fn code(said: &str) -> Option<&str> {
    let code = said.split_once("<Code>")?.1.split_once("</Code>")?.0;
    let is_word = code.len() <= 60 && code.chars().all(|c| c.is_ascii_alphanumeric());
    is_word.then_some(code)
}

/// The status that a server answered with.
fn status(said: &str) -> Option<u16> {
    let digits = said.split_once("status code: ")?.1.get(..3)?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generic(text: &str) -> Error {
        Error::Generic { store: "S3", source: text.to_owned().into() }
    }

    #[test]
    fn what_a_server_says_is_never_repeated() {
        let said = "Server returned non-2xx status code: 500 Internal Server Error: \
                    <Error><Code>InternalError</Code><Key>s3cr3t</Key></Error>";
        let told = explain(&generic(said), "b").to_string();
        assert_eq!(told, "the store answers 500 (InternalError)");
        let said = "status code: 403 Forbidden: <Code>SignatureDoesNotMatch</Code><StringToSign>x";
        let told = explain(&generic(said), "b").to_string();
        assert_eq!(told, "the store refuses the credentials (SignatureDoesNotMatch)");
        assert_eq!(code("<Code>a b<!-- s3cr3t</Code>"), None);
    }

    #[test]
    fn a_bucket_that_is_not_there_is_named() {
        let missing = generic("status code: 404 Not Found: <Code>NoSuchBucket</Code>");
        let told = explain(&missing, "runs");
        assert_eq!(told.to_string(), "there is no bucket `runs`");
        assert_eq!(told.kind(), ErrorKind::NotFound);
    }

    #[test]
    fn no_failure_of_a_store_makes_a_log_count_as_damaged() {
        let kind = explain(&generic("error decoding response body"), "b").kind();
        assert_eq!(kind, ErrorKind::ConnectionAborted);
    }
}
