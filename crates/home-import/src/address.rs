//! From the address people know to the one of the WebSocket API.

use crate::HomeImportError;

/// The address of the WebSocket API behind `http://HOST:8123`.
pub(crate) fn websocket_address(url: &str) -> Result<String, HomeImportError> {
    let wrong = |why: &'static str| HomeImportError::Address { url: url.to_owned(), why };
    let (scheme, rest) = url.split_once("://").ok_or_else(|| wrong("it has no `http://`"))?;
    let scheme = match scheme.to_ascii_lowercase().as_str() {
        "http" | "ws" => "ws",
        "https" | "wss" => "wss",
        _ => return Err(wrong("only `http://` and `https://` are known")),
    };
    // What follows the host in a browser's address bar names a page, not the API.
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if host.is_empty() {
        return Err(wrong("it has no host"));
    }
    if host.contains('@') {
        return Err(wrong("a name or password does not belong in it"));
    }
    Ok(format!("{scheme}://{host}/api/websocket"))
}

#[cfg(test)]
mod tests {
    use super::websocket_address;

    #[test]
    fn addresses_of_pages_lead_to_the_api() {
        for (url, expected) in [
            ("http://homeassistant.local:8123", "ws://homeassistant.local:8123/api/websocket"),
            ("https://home.example/lovelace/0", "wss://home.example/api/websocket"),
            ("HTTP://10.0.0.2:8123/", "ws://10.0.0.2:8123/api/websocket"),
        ] {
            assert_eq!(websocket_address(url).unwrap(), expected);
        }
    }

    #[test]
    fn other_addresses_are_refused() {
        for url in ["homeassistant.local:8123", "ftp://home", "http://", "http://me:pass@home"] {
            assert!(websocket_address(url).is_err(), "{url}");
        }
    }
}
