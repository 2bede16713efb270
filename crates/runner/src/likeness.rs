//! How alike an answer and its keywords are, as a model of embeddings sees it.
//!
//! Measuring asks a server, so it is a step of its own between a trial and its scorers, as judging
//! is: what was measured is written into the transcript, and scorers stay pure.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use toolgauge_core::{Case, KeywordLikeness, Transcript};
use toolgauge_score::likened_phrases;

/// As many parts of an answer as are compared.
const MOST_PARTS: usize = 40;
/// As much of one part, in bytes.
const LONGEST_PART: usize = 1_000;

/// Turns texts into vectors.
pub trait Embedder: Send + Sync {
    /// The vector of each text, in order, all of one length; or why there are none.
    fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vec<Vec<f32>>, String>>;
}

/// Measures how alike answers and keywords are.
pub struct LikenessGauge {
    embedder: Box<dyn Embedder>,
    /// The vectors of keywords, which are the same in every trial of a case.
    known: Mutex<HashMap<String, Arc<[f32]>>>,
}

impl std::fmt::Debug for LikenessGauge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("LikenessGauge")
    }
}

impl LikenessGauge {
    /// A gauge that asks this server.
    pub fn new(embedder: impl Embedder + 'static) -> Self {
        Self { embedder: Box::new(embedder), known: Mutex::default() }
    }

    /// Whether the server can be asked: before a night's run, and not after it.
    pub async fn check(&self) -> Result<(), String> {
        self.embedder.embed(&["likeness".to_owned()]).await.map(drop)
    }

    /// Writes into a transcript how alike its last words are to each keyword of the case that the
    /// suite wants compared. Where the server fails, it says why.
    pub async fn measure(&self, case: &Case, transcript: &mut Transcript) {
        let phrases = likened_phrases(case);
        let failed = transcript.failure.as_ref().is_some_and(|f| f.kind.is_infrastructure());
        let parts = parts(transcript.final_text());
        if phrases.is_empty() || parts.is_empty() || failed {
            return;
        }
        let measured = self.nearest(&phrases, &parts).await;
        transcript.background.likeness = measured.unwrap_or_else(|why| {
            let unknown = |phrase: &&str| KeywordLikeness {
                keyword: (*phrase).to_owned(),
                similarity: None,
                said: why.clone(),
            };
            phrases.iter().map(unknown).collect()
        });
    }

    /// For each phrase the part that is nearest to it.
    async fn nearest(
        &self,
        phrases: &[&str],
        parts: &[String],
    ) -> Result<Vec<KeywordLikeness>, String> {
        let mut vectors: HashMap<String, Arc<[f32]>> = {
            let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            let known = phrases.iter().filter_map(|phrase| known.get_key_value(*phrase));
            known.map(|(phrase, vector)| (phrase.clone(), Arc::clone(vector))).collect()
        };
        let unknown = phrases.iter().filter(|phrase| !vectors.contains_key(**phrase));
        let mut texts: Vec<String> = unknown.map(|phrase| (*phrase).to_owned()).collect();
        let new = texts.len();
        texts.extend(parts.iter().cloned());
        let mut embedded = self.embedder.embed(&texts).await?.into_iter().map(Arc::from);
        vectors.extend(texts[..new].iter().cloned().zip(embedded.by_ref()));
        let parts: Vec<(&String, Arc<[f32]>)> = parts.iter().zip(embedded).collect();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(vectors.iter().map(|(phrase, vector)| (phrase.clone(), Arc::clone(vector))));
        let likeness = |phrase: &&str| {
            let vector = vectors.get(*phrase)?;
            let compared = parts
                .iter()
                .filter_map(|(part, of_part)| Some((part.as_str(), cosine(vector, of_part)?)));
            let (said, similarity) = compared.max_by(|a, b| a.1.total_cmp(&b.1))?;
            let keyword = (*phrase).to_owned();
            Some(KeywordLikeness { keyword, similarity: Some(similarity), said: said.to_owned() })
        };
        let measured: Option<Vec<KeywordLikeness>> = phrases.iter().map(likeness).collect();
        measured.ok_or_else(|| "the vectors cannot be compared".to_owned())
    }
}

/// What a keyword is held against: each sentence, and the whole answer.
fn parts(text: &str) -> Vec<String> {
    let short = |text: &str| text[..text.floor_char_boundary(LONGEST_PART)].trim().to_owned();
    let sentences = text.split(['.', '!', '?', ';', '\n']).map(short);
    let mut parts: Vec<String> =
        sentences.filter(|part| part.contains(char::is_alphabetic)).take(MOST_PARTS).collect();
    if parts.len() > 1 {
        parts.push(short(text.trim()));
    }
    parts
}

/// The cosine of the angle between two vectors; `None` where they have no angle.
fn cosine(a: &[f32], b: &[f32]) -> Option<f64> {
    if a.len() != b.len() {
        return None;
    }
    let product = |a: &[f32], b: &[f32]| -> f64 {
        a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    };
    let lengths = (product(a, a) * product(b, b)).sqrt();
    let cosine = product(a, b) / lengths;
    (lengths > 0.0 && cosine.is_finite()).then_some(cosine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_compared_sentence_by_sentence_and_as_a_whole() {
        assert_eq!(parts("Yes."), ["Yes"]);
        assert_eq!(
            parts("Yes. It is.\n- covered"),
            ["Yes", "It is", "- covered", "Yes. It is.\n- covered"]
        );
        assert!(parts(" \n…").is_empty());
        assert_eq!(parts(&"word. ".repeat(1000)).len(), MOST_PARTS + 1);
    }

    #[test]
    fn the_cosine_is_that_of_the_angle() {
        assert_eq!(cosine(&[1.0, 0.0], &[0.0, 2.0]), Some(0.0));
        assert!((cosine(&[1.0, 1.0], &[2.0, 2.0]).unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(cosine(&[0.0, 0.0], &[1.0, 1.0]), None);
        assert_eq!(cosine(&[1.0], &[1.0, 1.0]), None);
    }
}
