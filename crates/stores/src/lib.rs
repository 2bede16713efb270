//! Logs in object stores: S3 and what speaks its protocol, Google Cloud Storage, Azure.
//!
//! `install` lets addresses such as `s3://bucket/runs` stand wherever logs are named. Credentials
//! come from the environment and from Amazon's profiles, as the stores' own tools take them. Reading takes few
//! requests: an object is read in ranges, and what was read with a range is kept for the next one.
#![cfg(feature = "clients")]

mod address;
mod clients;
mod credentials;
mod failure;
mod key_process;
mod object;
mod object_stores;
mod profile;
mod upload;

pub use clients::StoreClients;

/// Lets addresses of stores be used wherever logs are named.
pub fn install() {
    toolgauge_log::install_stores(Box::new(StoreClients::of_environment()));
}
