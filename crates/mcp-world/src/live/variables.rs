//! `${VAR}` in what a suite says of its servers.

use std::collections::BTreeMap;

use crate::bench::Fault;

/// The variable that stands for the folder of a trial.
pub(super) const WORK: &str = "WORK";

/// The shortest value that is hidden: shorter ones stand in any text.
const SHORTEST_SECRET: usize = 6;

/// Puts variables in, and remembers which values came from the environment.
#[derive(Debug, Default)]
pub(super) struct Variables {
    /// The values, longest first, each with its name.
    taken: BTreeMap<String, String>,
}

impl Variables {
    /// The text with its variables put in, but for the folder of a trial.
    pub(super) fn put_in(
        &mut self,
        text: &str,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<String, Fault> {
        let mut written = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("${") {
            let Some(end) = rest[at..].find('}').map(|end| at + end) else { break };
            written.push_str(&rest[..at]);
            let inside = &rest[at + 2..end];
            let (name, usual) = match inside.split_once(":-") {
                Some((name, usual)) => (name, Some(usual)),
                None => (inside, None),
            };
            if name == WORK {
                written.push_str(&rest[at..=end]);
            } else if let Some(value) = environment(name) {
                written.push_str(&value);
                self.taken.insert(value, name.to_owned());
            } else if let Some(usual) = usual {
                written.push_str(usual);
            } else {
                return Err(Fault(format!(
                    "a server wants the variable `{name}`, which is not set"
                )));
            }
            rest = &rest[end + 1..];
        }
        Ok(written + rest)
    }

    /// The text with the names of variables in the place of their values.
    pub(super) fn hide(&self, mut text: String) -> String {
        let mut values: Vec<(&String, &String)> = self.taken.iter().collect();
        // A value may be the beginning of another.
        values.sort_by_key(|(value, _)| std::cmp::Reverse(value.len()));
        for (value, name) in values {
            if value.len() >= SHORTEST_SECRET && text.contains(value.as_str()) {
                text = text.replace(value.as_str(), &format!("[{name}]"));
            }
        }
        text
    }
}

/// The text with the folder of a trial put in.
pub(super) fn at_work(text: &str, folder: &str) -> String {
    text.replace("${WORK}", folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_environment_are_put_in_and_hidden_in_what_comes_back() {
        let environment = |name: &str| match name {
            "TOKEN" => Some("s3cret-value".to_owned()),
            "PORT" => Some("80".to_owned()),
            _ => None,
        };
        let mut variables = Variables::default();
        let text = "Bearer ${TOKEN} at ${PORT}${PATH_:-/mcp} in ${WORK}/x";
        let put = variables.put_in(text, environment).unwrap();
        assert_eq!(put, "Bearer s3cret-value at 80/mcp in ${WORK}/x");
        assert_eq!(at_work(&put, "/tmp/1"), "Bearer s3cret-value at 80/mcp in /tmp/1/x");
        assert_eq!(variables.hide("80: s3cret-value".to_owned()), "80: [TOKEN]");
        let why = variables.put_in("${MISSING}", environment).unwrap_err();
        assert_eq!(why.to_string(), "a server wants the variable `MISSING`, which is not set");
    }
}
