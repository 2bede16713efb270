//! An address in a store, in its parts.

use std::io;

use object_store::path::Path;

/// The kinds of stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Amazon,
    Google,
    Azure,
}

/// The parts of an address such as `s3://bucket/runs/a.eval`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) kind: Kind,
    /// The bucket, or the container of Azure.
    pub(crate) bucket: String,
    pub(crate) key: Path,
}

impl Address {
    /// Reads an address. The key is taken as it is written, since names of logs are not encoded.
    pub(crate) fn read(text: &str) -> io::Result<Self> {
        let wrong = |why: &str| io::Error::new(io::ErrorKind::InvalidInput, why.to_owned());
        let (scheme, rest) = text.split_once("://").ok_or_else(|| wrong("it is no address"))?;
        let kind = match scheme {
            "s3" => Kind::Amazon,
            "gs" => Kind::Google,
            "az" => Kind::Azure,
            _ => return Err(wrong("it begins with none of s3://, gs:// and az://")),
        };
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            return Err(wrong("it names no bucket"));
        }
        let key = Path::parse(key.trim_end_matches('/'));
        let key = key.map_err(|_| wrong("a part of it is empty, or is `.` or `..`"))?;
        Ok(Self { kind, bucket: bucket.to_owned(), key })
    }

    /// The scheme and the bucket, as the address of everything in it begins.
    pub(crate) fn root(&self) -> String {
        let scheme = match self.kind {
            Kind::Amazon => "s3",
            Kind::Google => "gs",
            Kind::Azure => "az",
        };
        format!("{scheme}://{}", self.bucket)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_bucket_and_a_key() {
        let address = Address::read("s3://bucket/runs/2026-01-01T10+00 a.eval").unwrap();
        assert_eq!(address.root(), "s3://bucket");
        assert_eq!(address.key.as_ref(), "runs/2026-01-01T10+00 a.eval");
        let whole = Address::read("gs://bucket/").unwrap();
        assert_eq!((whole.kind, whole.key.as_ref()), (Kind::Google, ""));
        for wrong in ["s3://", "s3:///a", "az://b/a//b", "s3://b/../a", "https://b/a"] {
            assert!(Address::read(wrong).is_err(), "{wrong}");
        }
    }
}
