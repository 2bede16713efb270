//! The calls of a transcript: those that count as calls, and those written into the text.

use toolgauge_core::{Loss, ToolCall, Transcript};

/// The calls of a transcript that are judged, which need not be all that it holds.
pub(crate) struct MadeCalls<'a> {
    /// The calls that count as calls.
    pub(crate) counted: Vec<&'a ToolCall>,
    /// The calls written into the text that do not, each with its place among all calls.
    pub(crate) in_text: Vec<(usize, &'a ToolCall)>,
    /// The place of each counted call among all calls.
    places: Vec<usize>,
}

impl<'a> MadeCalls<'a> {
    /// The calls of a transcript; those written into its text count as calls if `count_in_text`.
    pub(crate) fn of(transcript: &'a Transcript, count_in_text: bool) -> Self {
        let mut made = Self { counted: Vec::new(), in_text: Vec::new(), places: Vec::new() };
        for (place, call) in transcript.calls().enumerate() {
            if count_in_text || call.origin.is_structured() {
                made.counted.push(call);
                made.places.push(place);
            } else {
                made.in_text.push((place, call));
            }
        }
        made
    }

    /// Turns places among the counted calls into places among all calls, which is what logs hold.
    pub(crate) fn number_among_all(&self, losses: &mut [Loss], pairing: &mut [Option<usize>]) {
        if self.in_text.is_empty() {
            return;
        }
        let made = losses.iter_mut().filter_map(|loss| loss.made_call.as_mut());
        for place in made.chain(pairing.iter_mut().flatten()) {
            *place = self.places[*place];
        }
    }
}
