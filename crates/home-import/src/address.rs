//! From the address people know to the one of the WebSocket API.

use crate::HomeImportError;

/// The address of the WebSocket API behind `http://HOST:8123`.
pub(crate) fn websocket_address(url: &str) -> Result<String, HomeImportError> {
    let wrong = |why: &'static str| HomeImportError::Address { url: public_address(url), why };
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

/// An address as messages show it: without user, password, page and query, which may hold secrets.
pub(crate) fn public_address(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").map_or((None, url), |(s, rest)| (Some(s), rest));
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    // A password may hold an `@` itself.
    let host = host.rsplit('@').next().unwrap_or_default();
    scheme.map_or_else(|| host.to_owned(), |scheme| format!("{scheme}://{host}"))
}

#[cfg(test)]
mod tests {
    use super::{public_address, websocket_address};

    #[test]
    fn an_address_is_shown_without_login_and_query() {
        for (url, shown) in [
            ("http://me:pa@ss@home:8123/lovelace?code=abc", "http://home:8123"),
            ("me:pass@home", "home"),
            ("https://home.example/?token=abc#def", "https://home.example"),
            ("http://home/a@b", "http://home"),
        ] {
            assert_eq!(public_address(url), shown);
        }
        let refused = websocket_address("http://me:pass@home").unwrap_err();
        assert!(!refused.to_string().contains("pass@"), "{refused}");
    }

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
