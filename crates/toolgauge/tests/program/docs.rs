//! The documentation: its links lead somewhere, and its examples run and print what pages show.

#![expect(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

#[cfg(unix)]
mod ci_templates;
#[cfg(unix)]
mod example;
#[cfg(unix)]
mod examples;
mod json_outputs;
mod links;
#[cfg(unix)]
mod other_tools;
mod pages;
#[cfg(unix)]
mod shell;
mod vocabulary;
