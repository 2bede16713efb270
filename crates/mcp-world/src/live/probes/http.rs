//! What an address answers, as a part of the end state.

use super::super::ground::Ground;

/// How much of an answer is read.
const LARGEST: usize = 1 << 20;

/// The body of an address.
pub(super) fn get(ground: &Ground, url: &str) -> Result<String, String> {
    let (address, limit) = (url.to_owned(), ground.limit);
    let asked = ground.wait(limit, async move {
        let response = reqwest::get(address).await.map_err(|error| error.to_string())?;
        let status = response.status();
        let body = response.bytes().await.map_err(|error| error.to_string())?;
        if !status.is_success() {
            return Err(format!("it answers {status}"));
        }
        if body.len() > LARGEST {
            return Err("its answer is too large".to_owned());
        }
        Ok(String::from_utf8_lossy(&body).into_owned())
    });
    asked.unwrap_or_else(|| Err(format!("no answer within {} s", limit.as_secs_f64())))
}
