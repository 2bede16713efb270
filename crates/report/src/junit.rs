//! Gates and trials as `JUnit` reports, which every build server can show.

use std::fmt::Write;
use std::io;

use serde_json::Value;
use toolgauge_core::{Loss, Outcome, Trial};
use toolgauge_log::TrialSummary;

use crate::gate::GateResult;
use crate::harmless;
use crate::json_text::in_a_line;

/// How much of an answer and of a value is shown.
const SHOWN: usize = 400;

/// The report: a test case for each gate, by the run it was judged on.
pub fn junit(results: &[GateResult]) -> String {
    let failures = results.iter().filter(|result| !result.passed).count();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let all = results.len();
    let _ = writeln!(
        xml,
        "<testsuites name=\"toolgauge\" tests=\"{all}\" failures=\"{failures}\">\n  <testsuite \
         name=\"gates\" tests=\"{all}\" failures=\"{failures}\">"
    );
    for result in results {
        test_case(&mut xml, result);
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

fn test_case(xml: &mut String, result: &GateResult) {
    let shown = |text: &str| escaped(&harmless::line(text));
    let (run, gate) = (shown(&result.run), shown(&result.gate));
    let _ = write!(xml, "    <testcase classname=\"{run}\" name=\"{gate}\"");
    if result.passed {
        xml.push_str("/>\n");
        return;
    }
    let message = escaped(&result.message);
    let _ = writeln!(
        xml,
        ">\n      <failure message=\"{message}\" type=\"gate\">{}</failure>\n    </testcase>",
        escaped(&result.to_string())
    );
}

/// How many test cases of each kind a report has, which its head says in advance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JunitCounts {
    /// All of them.
    pub tests: usize,
    /// Those that lost points.
    pub failures: usize,
    /// Those that could not be scored.
    pub skipped: usize,
}

impl JunitCounts {
    fn attributes(self) -> String {
        let Self { tests, failures, skipped } = self;
        format!("tests=\"{tests}\" failures=\"{failures}\" skipped=\"{skipped}\"")
    }
}

/// Writes trials as test cases, one at a time: right is passed, lost points are a failure,
/// unscored is skipped.
#[derive(Debug)]
pub struct JunitWriter<W: io::Write> {
    writer: W,
}

impl<W: io::Write> JunitWriter<W> {
    /// A report of so many test cases in all.
    pub fn new(mut writer: W, all: JunitCounts) -> io::Result<Self> {
        writeln!(writer, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(writer, "<testsuites name=\"toolgauge\" {}>", all.attributes())?;
        Ok(Self { writer })
    }

    /// Begins the trials of one run.
    pub fn begin(&mut self, name: &str, counts: JunitCounts) -> io::Result<()> {
        let name = escaped(&harmless::line(name));
        writeln!(self.writer, "  <testsuite name=\"{name}\" {}>", counts.attributes())
    }

    /// Adds a trial of the run begun last. The whole trial, where it is at hand, says what was
    /// expected and what was answered.
    pub fn add(
        &mut self,
        class: &str,
        trial: &TrialSummary,
        whole: Option<&Trial>,
    ) -> io::Result<()> {
        let shown = |text: &str| escaped(&harmless::line(text));
        let (class, name) = (shown(class), shown(&trial.id.to_string()));
        let time = trial.timings.total.as_secs_f64();
        let open = format!("<testcase classname=\"{class}\" name=\"{name}\" time=\"{time:.3}\"");
        match trial.outcome() {
            Some(Outcome::Scored(score)) if score.value >= 1.0 => {
                writeln!(self.writer, "    {open}/>")
            }
            Some(Outcome::Scored(score)) => {
                let value = score.value;
                let full = whole.and_then(Trial::outcome).and_then(Outcome::score);
                let losses = &full.unwrap_or(score).losses;
                let answer = whole.and_then(answered);
                let reasons: Vec<String> =
                    answer.into_iter().chain(losses.iter().take(20).map(reason)).collect();
                let said = shown(&trial.sentence);
                writeln!(
                    self.writer,
                    "    {open}>\n      <failure message=\"scored {value:.3}\" type=\"score\">\
                     {said}\n{}</failure>\n    </testcase>",
                    escaped(&reasons.join("\n"))
                )
            }
            Some(Outcome::Unscored(why)) => self.skipped(&open, &shown(&why.to_string())),
            None => self.skipped(&open, "not scored"),
        }
    }

    fn skipped(&mut self, open: &str, why: &str) -> io::Result<()> {
        writeln!(self.writer, "    {open}>\n      <skipped message=\"{why}\"/>\n    </testcase>")
    }

    /// Ends the trials of the run begun last.
    pub fn end(&mut self) -> io::Result<()> {
        writeln!(self.writer, "  </testsuite>")
    }

    /// Ends the report.
    pub fn finish(mut self) -> io::Result<()> {
        writeln!(self.writer, "</testsuites>")?;
        self.writer.flush()
    }
}

/// What was answered, where the case is about that.
fn answered(trial: &Trial) -> Option<String> {
    trial.case.expectation.answer.as_ref()?;
    let text = trial.transcript.final_text().trim();
    Some(match text {
        "" => "no answer".to_owned(),
        text => format!("answer: {}", harmless::line_within(text, SHOWN)),
    })
}

fn reason(loss: &Loss) -> String {
    let (words, points) = (loss.cause.words(), loss.points);
    let place = format!("{} {}", loss.tool.as_deref().unwrap_or_default(), loss.path);
    let told = |word: &str, value: &Option<Value>| {
        value.as_ref().map(|value| format!("{word} {}", in_a_line(value, SHOWN)))
    };
    let place = Some(harmless::line(place.trim()).into_owned()).filter(|place| !place.is_empty());
    let parts = [place, told("expected", &loss.expected), told("got", &loss.actual)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        return format!("{words} ({points:.3})");
    }
    format!("{words}: {} ({points:.3})", parts.join(", "))
}

/// Text as XML has it. Characters that XML 1.0 cannot hold at all become the replacement mark.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(character),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_in_a_name_can_break_the_report() {
        assert_eq!(escaped("a<b & \"c\"\u{1}>"), "a&lt;b &amp; &quot;c&quot;\u{fffd}&gt;");
    }
}
