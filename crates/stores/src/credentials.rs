//! Makes the client of a bucket, with credentials from the environment and from Amazon's profiles.

use std::collections::BTreeMap;
use std::io;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GcpCredential, GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::{
    BackoffConfig, ClientConfigKey, ObjectStore, RetryConfig, StaticCredentialProvider,
};

use crate::address::{Address, Kind};
use crate::failure::explain;
use crate::key_process::KeyProcess;
use crate::profile::AwsProfile;

/// How often a request is tried again. Whoever waits at a terminal hears after some ten seconds that
/// a store cannot be reached; uploads of a run are tried again by those who make them.
fn retry() -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig {
            init_backoff: Duration::from_millis(100),
            max_backoff: Duration::from_secs(3),
            base: 2.,
        },
        max_retries: 8,
        retry_timeout: Duration::from_secs(20),
    }
}

/// The variables of the environment, by which stores are reached.
#[derive(Debug)]
pub(crate) struct Environment(BTreeMap<String, String>);

impl Environment {
    /// These variables; empty ones count as not set.
    pub(crate) fn new(variables: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(variables.into_iter().filter(|(_, value)| !value.is_empty()).collect())
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The variables that a library knows by its own words.
    fn known<K: FromStr>(&self, prefix: &str) -> impl Iterator<Item = (K, &String)> {
        let own = self.0.iter().filter(move |(name, _)| name.starts_with(prefix));
        own.filter_map(|(name, value)| Some((name.to_ascii_lowercase().parse().ok()?, value)))
    }

    /// The client of the bucket that an address is in, which waits so long for each answer.
    pub(crate) fn client(
        &self,
        address: &Address,
        patience: Duration,
    ) -> io::Result<Arc<dyn ObjectStore>> {
        let bucket = address.bucket.as_str();
        let (timeout, patience) = (ClientConfigKey::Timeout, format!("{}s", patience.as_secs()));
        let wrong = |error| explain(&error, bucket);
        Ok(match address.kind {
            Kind::Amazon => {
                let profile = AwsProfile::read(|name| self.get(name))?;
                let builder = self.with(&profile).amazon(bucket, profile.process);
                let builder = builder.with_config(AmazonS3ConfigKey::Client(timeout), patience);
                Arc::new(builder.build().map_err(wrong)?)
            }
            Kind::Google => {
                let builder = self.google(bucket);
                let builder = builder.with_config(GoogleConfigKey::Client(timeout), patience);
                Arc::new(builder.build().map_err(wrong)?)
            }
            Kind::Azure => {
                let builder = self.azure(bucket);
                let builder = builder.with_config(AzureConfigKey::Client(timeout), patience);
                Arc::new(builder.build().map_err(wrong)?)
            }
        })
    }

    /// These variables, and those of a profile that they leave open. Keys are taken from one place
    /// together.
    fn with(&self, profile: &AwsProfile) -> Self {
        const KEYS: [&str; 3] = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"];
        const REGIONS: [&str; 2] = ["AWS_REGION", "AWS_DEFAULT_REGION"];
        const ENDPOINTS: [&str; 2] = ["AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"];
        let mut all = self.0.clone();
        for (name, value) in &profile.variables {
            let groups = [&KEYS[..], &REGIONS, &ENDPOINTS];
            let group = groups.into_iter().find(|group| group.contains(name));
            if group.unwrap_or(&[name]).iter().all(|name| !self.0.contains_key(*name)) {
                all.insert((*name).to_owned(), value.clone());
            }
        }
        Self(all)
    }

    fn amazon(&self, bucket: &str, process: Option<Vec<String>>) -> AmazonS3Builder {
        let mut builder = AmazonS3Builder::new();
        for (key, value) in self.known::<AmazonS3ConfigKey>("AWS_") {
            builder = builder.with_config(key, value);
        }
        if let Some(words) = process.filter(|_| self.get("AWS_ACCESS_KEY_ID").is_none()) {
            builder = builder.with_credentials(Arc::new(KeyProcess::new(words)));
        }
        let endpoint = self.get("AWS_ENDPOINT_URL_S3").or(self.get("AWS_ENDPOINT_URL"));
        // Whoever names an address without TLS has allowed it.
        if endpoint.is_some_and(|endpoint| endpoint.starts_with("http://")) {
            builder = builder.with_allow_http(true);
        }
        builder.with_bucket_name(bucket).with_retry(retry())
    }

    fn google(&self, bucket: &str) -> GoogleCloudStorageBuilder {
        let mut builder = GoogleCloudStorageBuilder::new();
        for (key, value) in self.known::<GoogleConfigKey>("GOOGLE_") {
            builder = builder.with_config(key, value);
        }
        let builder = builder.with_bucket_name(bucket).with_retry(retry());
        // Google's own libraries take the address of an emulator by this name. It wants no key, but
        // for writing the library would ask this machine's role for one.
        let Some(emulator) = self.get("STORAGE_EMULATOR_HOST") else { return builder };
        let scheme = if emulator.contains("://") { "" } else { "http://" };
        let no_key = GcpCredential { bearer: "none".to_owned() };
        builder
            .with_base_url(&format!("{scheme}{emulator}"))
            .with_credentials(Arc::new(StaticCredentialProvider::new(no_key)))
            .with_config(GoogleConfigKey::Client(ClientConfigKey::AllowHttp), "true")
    }

    fn azure(&self, container: &str) -> MicrosoftAzureBuilder {
        let mut builder = MicrosoftAzureBuilder::new();
        for (key, value) in self.known::<AzureConfigKey>("AZURE_") {
            builder = builder.with_config(key, value);
        }
        if let Some(identity) = self.get("IDENTITY_ENDPOINT") {
            builder = builder.with_msi_endpoint(identity);
        }
        // Azure's own tools call these otherwise than the library does.
        let parts = self.get("AZURE_STORAGE_CONNECTION_STRING").map(connection_string);
        let parts = parts.unwrap_or_default();
        let names = [
            (AzureConfigKey::AccountName, "AccountName", "AZURE_STORAGE_ACCOUNT"),
            (AzureConfigKey::AccessKey, "AccountKey", "AZURE_STORAGE_KEY"),
            (AzureConfigKey::SasKey, "SharedAccessSignature", "AZURE_STORAGE_SAS_TOKEN"),
            (AzureConfigKey::Endpoint, "BlobEndpoint", "AZURE_STORAGE_ENDPOINT"),
        ];
        for (key, part, name) in names {
            let Some(value) = self.get(name).or(parts.get(part).copied()) else { continue };
            if key == AzureConfigKey::Endpoint && value.starts_with("http://") {
                builder = builder.with_allow_http(true);
            }
            builder = builder.with_config(key, value);
        }
        builder.with_container_name(container).with_retry(retry())
    }
}

/// The parts of a text such as `AccountName=a;AccountKey=b==;BlobEndpoint=https://…`.
fn connection_string(text: &str) -> BTreeMap<&str, &str> {
    // A key ends in `=`, so that only the first one of a part divides it.
    text.split(';').filter_map(|part| part.trim().split_once('=')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_says_what_the_environment_leaves_open() {
        let variables = [("AWS_ACCESS_KEY_ID", "here"), ("AWS_DEFAULT_REGION", "eu-west-1")];
        let set = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        let environment = Environment::new(variables.map(set));
        let profile = AwsProfile {
            variables: vec![
                ("AWS_SECRET_ACCESS_KEY", "there".to_owned()),
                ("AWS_REGION", "us-east-1".to_owned()),
                ("AWS_ENDPOINT_URL", "http://h".to_owned()),
            ],
            process: None,
        };
        let both = environment.with(&profile);
        assert_eq!(both.get("AWS_ACCESS_KEY_ID"), Some("here"));
        assert_eq!(both.get("AWS_SECRET_ACCESS_KEY"), None);
        assert_eq!(both.get("AWS_REGION"), None);
        assert_eq!(both.get("AWS_ENDPOINT_URL"), Some("http://h"));
    }

    #[test]
    fn a_connection_string_is_divided_at_the_first_sign() {
        let parts = connection_string("AccountName=a; AccountKey=b+c/==;BlobEndpoint=http://h/a;");
        assert_eq!(parts["AccountName"], "a");
        assert_eq!(parts["AccountKey"], "b+c/==");
        assert_eq!(parts["BlobEndpoint"], "http://h/a");
    }
}
