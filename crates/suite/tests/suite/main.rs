//! Suites as files: good ones, bad ones, selections, and those that are shipped.

mod bad_suites;
mod loading;
mod selecting;
mod shipped;
