//! The profiles of Amazon's own tools, in `~/.aws/config` and `~/.aws/credentials`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

/// What the lines of a profile are called in the environment.
const VARIABLES: [(&str, &str); 6] = [
    ("aws_access_key_id", "AWS_ACCESS_KEY_ID"),
    ("aws_secret_access_key", "AWS_SECRET_ACCESS_KEY"),
    ("aws_session_token", "AWS_SESSION_TOKEN"),
    ("role_arn", "AWS_ROLE_ARN"),
    ("role_session_name", "AWS_ROLE_SESSION_NAME"),
    ("web_identity_token_file", "AWS_WEB_IDENTITY_TOKEN_FILE"),
];

/// What a profile has that gets its keys in a way that only Amazon's own tools know.
const SIGNS_IN: [&str; 5] =
    ["sso_session", "sso_start_url", "source_profile", "credential_source", "login_session"];

type Settings = BTreeMap<String, String>;

/// What a profile adds to the environment.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct AwsProfile {
    /// Variables that hold where the environment has no other.
    pub(crate) variables: Vec<(&'static str, String)>,
    /// The command that prints keys.
    pub(crate) process: Option<Vec<String>>,
}

impl AwsProfile {
    /// The profile that the environment names, or the one called `default` where there is one.
    pub(crate) fn read<'a>(get: impl Fn(&str) -> Option<&'a str>) -> io::Result<Self> {
        let named = get("AWS_PROFILE").or(get("AWS_DEFAULT_PROFILE"));
        let name = named.unwrap_or("default");
        let home = get("HOME").or(get("USERPROFILE")).map(PathBuf::from);
        let file = |variable: &str, usual: &str| {
            let path = get(variable).unwrap_or(usual);
            match path.strip_prefix("~/") {
                Some(below) => home.as_ref().map(|home| home.join(below)),
                None => Some(PathBuf::from(path)),
            }
        };
        let config = sections(file("AWS_CONFIG_FILE", "~/.aws/config"))?;
        let keys = sections(file("AWS_SHARED_CREDENTIALS_FILE", "~/.aws/credentials"))?;
        let parts = [
            config.get(&format!("profile {name}")),
            config.get(name).filter(|_| name == "default"),
            keys.get(name),
        ];
        if named.is_some() && parts.iter().all(Option::is_none) {
            let why =
                format!("neither `config` nor `credentials` in `.aws` has a profile `{name}`");
            return Err(io::Error::new(ErrorKind::PermissionDenied, why));
        }
        // Where both files have a line, that of the keys counts.
        let parts = parts.into_iter().flatten().flatten();
        let settings: Settings = parts.map(|(key, value)| (key.clone(), value.clone())).collect();
        let services = settings.get("services").map(|name| format!("services {name}"));
        let services = services.and_then(|name| config.get(&name));
        Ok(Self::of(name, &settings, services))
    }

    fn of(name: &str, settings: &Settings, services: Option<&Settings>) -> Self {
        let set = |(key, variable)| Some((variable, settings.get(key)?.clone()));
        let mut variables: Vec<_> = VARIABLES.into_iter().filter_map(set).collect();
        let endpoint = services.and_then(|services| services.get("s3.endpoint_url"));
        let endpoint = endpoint.or(settings.get("endpoint_url"));
        variables.extend(endpoint.map(|url| ("AWS_ENDPOINT_URL", url.clone())));
        variables.extend(settings.get("region").map(|region| ("AWS_REGION", region.clone())));
        let process = match settings.get("credential_process") {
            _ if settings.contains_key("aws_access_key_id") => None,
            Some(command) => shlex::split(command),
            None if SIGNS_IN.iter().any(|way| settings.contains_key(*way)) => {
                let words = ["aws", "configure", "export-credentials", "--format", "process"];
                let words = words.into_iter().chain(["--profile", name]);
                Some(words.map(str::to_owned).collect())
            }
            None => None,
        };
        Self { variables, process }
    }
}

/// The sections of a file, or none where there is no file.
fn sections(path: Option<PathBuf>) -> io::Result<BTreeMap<String, Settings>> {
    let Some(path) = path else { return Ok(BTreeMap::new()) };
    match fs::read_to_string(&path) {
        Ok(text) => Ok(parse(&text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(error) => {
            let why = format!("cannot read `{}`: {error}", path.display());
            Err(io::Error::new(ErrorKind::PermissionDenied, why))
        }
    }
}

/// Reads lines such as `key = value` below lines such as `[section]`. Indented lines belong to the
/// line above them, and get its name: `s3.endpoint_url`.
fn parse(text: &str) -> BTreeMap<String, Settings> {
    let mut sections: BTreeMap<String, Settings> = BTreeMap::new();
    let (mut section, mut above) = (None, String::new());
    for line in text.lines() {
        let content = without_remark(line);
        if let Some(name) = content.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let words: Vec<&str> = name.split_whitespace().collect();
            section = Some(words.join(" ").replace(['"', '\''], ""));
            sections.entry(section.clone().unwrap_or_default()).or_default();
            continue;
        }
        let Some((section, (key, value))) = section.as_ref().zip(content.split_once('=')) else {
            continue;
        };
        let (mut key, value) = (key.trim().to_ascii_lowercase(), value.trim());
        if line.starts_with([' ', '\t']) {
            key = format!("{above}.{key}");
        } else {
            above.clone_from(&key);
        }
        if !value.is_empty() {
            sections.entry(section.clone()).or_default().insert(key, value.to_owned());
        }
    }
    sections
}

/// A line without the remark at its end. A sign within a word begins none.
fn without_remark(line: &str) -> &str {
    if line.trim_start().starts_with(['#', ';']) {
        return "";
    }
    let ends = [" #", " ;", "\t#", "\t;"].iter().filter_map(|sign| line.find(sign));
    line[..ends.min().unwrap_or(line.len())].trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = "\
# Written by hand.
[default]
region = eu-west-1

[profile lab]
region=eu-central-1 ; where the machines are
endpoint_url = https://other.example
services = lab
s3 =
    addressing_style = path

[services lab]
s3 =
  endpoint_url = https://s3.lab.example

[profile people]
sso_session = office

[profile tool]
credential_process = /opt/keys --for \"the lab\"
";
    const KEYS: &str = "\
[lab]
aws_access_key_id = AKIA
aws_secret_access_key = a#b;c/+=
[default]
";

    /// The profile by two files and some variables.
    fn profile(variables: &[(&str, &str)]) -> io::Result<AwsProfile> {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join(".aws")).unwrap();
        fs::write(home.path().join(".aws/config"), CONFIG).unwrap();
        fs::write(home.path().join(".aws/credentials"), KEYS).unwrap();
        let home = home.path().to_str().unwrap();
        AwsProfile::read(|name| {
            let set = variables.iter().find(|(variable, _)| *variable == name);
            set.map(|(_, value)| *value).or((name == "HOME").then_some(home))
        })
    }

    #[test]
    fn keys_and_places_are_taken_from_both_files() {
        let lab = profile(&[("AWS_PROFILE", "lab")]).unwrap();
        let variables: BTreeMap<_, _> =
            lab.variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(variables["AWS_ACCESS_KEY_ID"], "AKIA");
        assert_eq!(variables["AWS_SECRET_ACCESS_KEY"], "a#b;c/+=");
        assert_eq!(variables["AWS_REGION"], "eu-central-1");
        assert_eq!(variables["AWS_ENDPOINT_URL"], "https://s3.lab.example");
        assert_eq!(lab.process, None);
        let default = profile(&[]).unwrap();
        assert_eq!(default.variables, [("AWS_REGION", "eu-west-1".to_owned())]);
    }

    #[test]
    fn a_profile_that_signs_in_is_asked_of_a_command() {
        let words = |name| profile(&[("AWS_PROFILE", name)]).unwrap().process.unwrap().join(" ");
        let asked = "aws configure export-credentials --format process --profile people";
        assert_eq!(words("people"), asked);
        assert_eq!(words("tool"), "/opt/keys --for the lab");
    }

    #[test]
    fn a_profile_that_is_named_must_be_there() {
        let refused = profile(&[("AWS_PROFILE", "labb")]).unwrap_err();
        assert!(refused.to_string().contains("profile `labb`"), "{refused}");
        let nowhere = [("AWS_CONFIG_FILE", "/nowhere"), ("AWS_SHARED_CREDENTIALS_FILE", "~/no")];
        assert_eq!(profile(&nowhere).unwrap(), AwsProfile::default());
    }
}
