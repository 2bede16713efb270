//! Whether two names stand for the same model.
//!
//! A server may list a model by the file it was loaded from, with a tag, with the name of who made
//! it, or with a date, and still mean what was asked for.

/// Whether two names stand for the same model: `qwen3` and `qwen3:latest`, `gpt-4o` and
/// `gpt-4o-2024-08-06`, `Qwen/Qwen3-8B` and `models/qwen3-8b-q4_k_m.gguf`.
pub(crate) fn same_model(one: &str, other: &str) -> bool {
    let (one, other) = (plain(one), plain(other));
    // `x-latest` and `x-20241022` are releases of one model.
    let undated = |name: &str| name.strip_suffix("-latest").map(str::to_owned);
    let either = |one: &str, other: &str| is_release_of(one, other) || is_release_of(other, one);
    either(&one, &other)
        || undated(&one).is_some_and(|one| either(&one, &other))
        || undated(&other).is_some_and(|other| either(&one, &other))
}

/// Whether a name in a reply may be another form of the one that was asked for: with more behind it
/// (`qwen3:8b` for `qwen3`), with its maker in front (`us.anthropic.claude` for `claude`), or
/// without the maker that was asked for.
pub(crate) fn is_form_of(replied: &str, asked: &str) -> bool {
    let (replied, asked) = (plain(replied), plain(asked));
    let is_maker = |before: &str| before.is_empty() || before.ends_with(['-', '.', ':', '@', '_']);
    // Behind a point stands the rest of a version: `qwen2.5` is no form of `qwen2`.
    let is_more = |behind: &str| behind.is_empty() || behind.starts_with(['-', ':', '@', '_']);
    let holds = |long: &str, short: &str, is_more: &dyn Fn(&str) -> bool| {
        let mut found = long.match_indices(short).filter(|_| !short.is_empty());
        found.any(|(at, _)| is_maker(&long[..at]) && is_more(&long[at + short.len()..]))
    };
    holds(&replied, &asked, &is_more) || holds(&asked, &replied, &str::is_empty)
}

/// Whether a name in a server's list stands for the model that is asked for. A star stands for
/// anything, as routers write it.
pub(crate) fn is_listed_as(listed: &str, asked: &str) -> bool {
    match listed.split_once('*') {
        Some((start, _)) => asked.to_lowercase().starts_with(&start.to_lowercase()),
        None => same_model(listed, asked),
    }
}

/// A name without folders, ending, case and the tag that stands for no tag.
fn plain(name: &str) -> String {
    let name = name.trim().to_lowercase();
    let name = name.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or_default();
    // Repositories add the format to the name of the model, as in `Qwen3-4B-GGUF`.
    let name = name.strip_suffix(".gguf").unwrap_or(name).replace("-gguf", "");
    // A model in several files is named by the first: `x-00001-of-00003`.
    let name = match name.rsplit_once("-of-") {
        Some((first, count)) if is_number(count) => {
            first.rsplit_once('-').map_or(first, |(name, _)| name).to_owned()
        }
        _ => name,
    };
    name.strip_suffix(":latest").unwrap_or(&name).to_owned()
}

/// Whether a name is another one, with nothing but a date, `latest` or a quantisation behind it.
fn is_release_of(long: &str, short: &str) -> bool {
    let Some(rest) = long.strip_prefix(short) else { return false };
    if rest.is_empty() {
        return !short.is_empty();
    }
    let Some(tail) = rest.strip_prefix(['-', '.', ':', '@', '_']) else { return false };
    tail == "latest" || is_date(tail) || is_quantisation(tail)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A date or the like: `2024-08-06`, `20250514`, `0613`.
fn is_date(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    digits >= 4 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// How GGUF files name their quantisation: `q4_k_m`, `iq2_xs`, `f16`, `ud-q4_k_xl`.
fn is_quantisation(text: &str) -> bool {
    let text = text.strip_prefix("ud-").unwrap_or(text);
    let numbered = |prefix: &str| {
        text.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    plain && ["q", "iq", "tq", "mxfp", "f", "bf", "fp"].into_iter().any(numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_of_one_model_are_the_same() {
        for (one, other) in [
            ("qwen3", "qwen3:latest"),
            ("Qwen3-8B", "qwen3-8b"),
            ("Qwen/Qwen3-8B", "qwen3-8b"),
            ("qwen2.5-0.5b-instruct", "/models/qwen2.5-0.5b-instruct-q4_k_m.gguf"),
            ("qwen2.5-0.5b", "C:\\models\\qwen2.5-0.5b.gguf"),
            ("gemma-3-4b-it", "ggml-org/gemma-3-4b-it-GGUF:Q4_K_M"),
            ("big-q8_0", "big-q8_0-00001-of-00003.gguf"),
            ("gpt-4o", "gpt-4o-2024-08-06"),
            ("claude-3-5-haiku-latest", "claude-3-5-haiku-20241022"),
            ("openai/gpt-4o", "gpt-4o"),
        ] {
            assert!(same_model(one, other) && same_model(other, one), "{one} {other}");
        }
    }

    #[test]
    fn different_models_are_not() {
        for (one, other) in [
            ("qwen05", "qwen-typo"),
            ("qwen3", "qwen3:8b"),
            ("llama-3", "llama-3-70b"),
            ("qwen2.5", "qwen2.5-coder"),
            ("gpt-4", "gpt-4o"),
            ("qwen3-4b", "qwen3-4b-instruct"),
            ("", "qwen3"),
            ("q8", "q4"),
        ] {
            assert!(!same_model(one, other) && !same_model(other, one), "{one} {other}");
        }
    }

    #[test]
    fn a_longer_name_is_a_form_of_the_one_that_was_asked_for() {
        for (replied, asked) in [
            ("qwen3:8b", "qwen3"),
            ("Qwen/Qwen3-4B-Instruct", "qwen3-4b"),
            ("us.anthropic.claude-3-5-haiku-20241022-v1:0", "claude-3-5-haiku"),
            ("claude-3-5-haiku", "us.anthropic.claude-3-5-haiku"),
            ("qwen3-8b:2", "qwen3-8b"),
        ] {
            assert!(is_form_of(replied, asked), "{replied} {asked}");
        }
        for (replied, asked) in [
            ("gamma", "alpha-7b"),
            ("qwen2.5", "qwen2"),
            ("qwen3", "qwen3-4b-instruct"),
            ("gpt-4o", "gpt-4"),
            ("", "m"),
            ("m", ""),
        ] {
            assert!(!is_form_of(replied, asked), "{replied} {asked}");
        }
    }

    #[test]
    fn a_star_in_a_list_stands_for_anything() {
        assert!(is_listed_as("*", "any"));
        assert!(is_listed_as("openai/*", "openai/gpt-4o"));
        assert!(!is_listed_as("openai/*", "mistral/large"));
    }
}
