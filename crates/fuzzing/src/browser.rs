//! What browsers send to the viewer, and texts of others that its pages show.

use toolgauge_view::fuzzing::{check_page_text, check_query, check_request};

use crate::{parts, text};

/// All of it as a query or a form, and its parts as the head of a request.
pub(crate) fn request(input: &[u8]) {
    check_query(input);
    let [host, path, base, cookie] = parts(input);
    check_request(text(host), text(path), text(base), cookie);
}

pub(crate) fn page_text(input: &[u8]) {
    check_page_text(text(input));
}
