//! What a reply is held against: the request, what was looked up, and the world.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use serde_json::Value;
use toolgauge_core::{BookRecord, Books, Candidates, Case, Message, Tool, ToolCall, WorldThing};

use super::Reply;
use super::plain_words::is_function_word;
use super::shelf::Shelf;
use crate::evidence::Evidence;
use crate::reading::{Date, ItemContent, MeasureUnit, NumberWithUnit, TextReader};
use crate::recall::{ReadTexts, recall};

/// The numbers and dates of texts.
#[derive(Debug, Default)]
struct SourceFigures {
    numbers: Vec<NumberWithUnit>,
    dates: Vec<Date>,
}

thread_local! {
    static FIGURES: RefCell<ReadTexts<SourceFigures>> = RefCell::default();
}

impl SourceFigures {
    /// Those of one text.
    fn read(text: &str) -> Rc<Self> {
        recall(&FIGURES, text, |text| {
            let mut figures = Self::default();
            for item in TextReader::default().read(&super::words::plain(text)) {
                match item.content {
                    ItemContent::Number(number) => figures.numbers.push(number),
                    ItemContent::Date(date) => figures.dates.push(date),
                    ItemContent::Ordinal(_) | ItemContent::Word(_) => {}
                }
            }
            Rc::new(figures)
        })
    }
}

/// Everything a reply may be held against.
pub(crate) struct Context<'a> {
    /// The request in words.
    pub(super) question: Vec<String>,
    /// The texts that stand behind a right answer: the request, what was said before, what tools
    /// returned, the reference, and what proves it.
    texts: Vec<&'a str>,
    /// What was said before, without what the system says of every device there is.
    said: Vec<&'a str>,
    /// What the user said, all of it, in words.
    request: Vec<String>,
    /// The calls that were made.
    pub(super) calls: Vec<&'a ToolCall>,
    /// The tools that were offered.
    pub(super) tools: &'a [Tool],
    /// What tools returned in this trial.
    returned: Vec<&'a str>,
    /// How many of the texts were said before.
    said_before: usize,
    pub(super) things: &'a [Arc<WorldThing>],
    /// By thing and property, the values before and after the calls.
    pub(super) changes: Option<&'a Value>,
    pub(super) max_words: Option<usize>,
    pub(super) today: Option<Date>,
    /// The time of day in minutes, where the clock of the world stands still.
    pub(super) now: Option<u32>,
    /// The lists of things that the suite gives, as they are written.
    candidates: Option<&'a Value>,
    lists: OnceCell<IndexMap<String, Vec<Vec<String>>>>,
    /// The names of the things, put into English too where the request is in another language.
    names: OnceCell<Vec<Vec<Vec<String>>>>,
    is_glossed: bool,
    values: OnceCell<SourceFigures>,
    topic_things: Vec<&'a WorldThing>,
    /// By the text of a clause, the places of the things that it names: many rules ask for the same
    /// ones.
    pub(super) named: RefCell<HashMap<String, Vec<usize>>>,
    /// The places, in the list of things, of those that the request may mean.
    pub(super) things_open: OnceCell<Vec<usize>>,
    place_words: OnceCell<Vec<Vec<String>>>,
    /// The places that the request names.
    pub(super) places_asked: OnceCell<Vec<Vec<String>>>,
    reference: Option<&'a str>,
    reference_read: OnceCell<Option<Rc<Reply>>>,
    /// Whether anything was looked up that a detail could be held against.
    pub(super) has_sources: bool,
    /// All that the world has written down.
    books: Option<&'a Arc<Books>>,
    shelf: OnceCell<Option<Arc<Shelf>>>,
}

impl<'a> Context<'a> {
    /// What there is to hold the last words of a transcript against.
    pub(crate) fn new(evidence: &Evidence<'a>) -> Self {
        let case = evidence.case;
        let settings = case.expectation.more.get("reply");
        let setting = |name: &str| settings.and_then(|settings| settings.get(name));
        let today = setting("today").and_then(Value::as_str).and_then(super::words::date);
        let mut texts: Vec<&str> = said_before(case);
        let before = texts.len();
        texts.extend(evidence.transcript.messages.iter().filter_map(|message| match message {
            Message::Tool(answer) => Some(answer.content.as_str()),
            _ => None,
        }));
        if let Some(states) = evidence.states {
            texts.extend(states.actual.answers.iter().map(|answer| answer.content.as_str()));
        }
        // The reference comes behind this mark, so that it supports details but does not count as
        // returned.
        let after = texts.len();
        let has_sources = after > before;
        let answer = case.expectation.answer.as_deref();
        texts.extend(answer.and_then(|answer| answer.reference.as_deref()));
        texts.extend(
            answer
                .iter()
                .flat_map(|answer| &answer.proof)
                .filter_map(|proof| proof.passage.as_deref()),
        );
        texts.extend(evidence.transcript.background.proved.iter().map(String::as_str));
        let question = in_english(case.sentence());
        let topic_things = topic_things(evidence, &question);
        let request = case.input.iter().filter_map(|message| match message {
            Message::User { content } => Some(in_english(content)),
            _ => None,
        });
        let calls = evidence.transcript.messages.iter().filter_map(|message| match message {
            Message::Assistant(message) => Some(&message.calls),
            _ => None,
        });
        let is_system = |message: &&Message| matches!(message, Message::System { .. });
        let said = case.input.iter().filter(|message| !is_system(message)).map(text_of);
        Self {
            said: said.collect(),
            request: request.flatten().collect(),
            calls: calls.flatten().collect(),
            tools: evidence.tools,
            question,
            returned: texts[before..after].to_vec(),
            said_before: before,
            texts,
            things: evidence.states.map_or(&[], |states| &states.things),
            changes: evidence.states.map(|states| &*states.actual.changes),
            max_words: setting("max_words")
                .and_then(Value::as_u64)
                .and_then(|n| usize::try_from(n).ok()),
            today,
            now: setting("now").and_then(Value::as_str).and_then(minutes_of_day),
            candidates: setting("candidates"),
            lists: OnceCell::new(),
            names: OnceCell::new(),
            is_glossed: Reply::is_glossed(case.sentence())
                || !Reply::read(case.sentence()).is_english(),
            values: OnceCell::new(),
            topic_things,
            named: RefCell::default(),
            things_open: OnceCell::new(),
            place_words: OnceCell::new(),
            places_asked: OnceCell::new(),
            reference: answer.and_then(|answer| answer.reference.as_deref()),
            reference_read: OnceCell::new(),
            has_sources: has_sources || answer.is_some_and(|answer| answer.reference.is_some()),
            books: evidence.books,
            shelf: OnceCell::new(),
        }
    }

    /// All that the world has written down, in worlds with books.
    pub(super) fn shelf(&self) -> Option<&Shelf> {
        self.shelf.get_or_init(|| self.books.map(Shelf::of)).as_deref()
    }

    /// The rows of all tables, in worlds with books.
    pub(super) fn rows(&self) -> impl Iterator<Item = &'a BookRecord> {
        let books: Option<&'a Arc<Books>> = self.books;
        books.into_iter().flat_map(|books| &books.records).filter(|record| record.is_row)
    }

    /// What the user said, earlier requests of the same talk included.
    pub(super) fn request(&self) -> &[String] {
        &self.request
    }

    /// The words of the request that hold: behind `no wait` or `I mean`, where it corrects itself, and
    /// before `but not`.
    pub(super) fn meant(&self) -> &[String] {
        const MARKS: [&[&str]; 11] = [
            &["no", "the"],
            &["no", "in"],
            &["no", "rather"],
            &["uh"],
            &["er"],
            &["no", "wait"],
            &["i", "mean"],
            &["no", "make"],
            &["sorry"],
            &["no", "sorry"],
            &["scratch", "that"],
        ];
        let ends = MARKS.iter().filter_map(|mark| {
            let at = self.question.windows(mark.len()).rposition(|window| window == *mark)?;
            Some(at + mark.len())
        });
        // A mark at the very end corrects nothing.
        let start = ends.max().filter(|start| *start + 1 < self.question.len()).unwrap_or(0);
        let excepts = |pair: &[String]| pair[0] == "but" && pair[1] == "not";
        let end = self.question.windows(2).position(excepts).filter(|end| *end > start);
        &self.question[start..end.unwrap_or(self.question.len())]
    }

    /// Whether the request asks if there is something: `Is there a camera in the attic?`
    pub(super) fn asks_for_existence(&self) -> bool {
        let text = |at: usize| self.question.get(at).map_or("", String::as_str);
        matches!(
            (text(0), text(1), text(2)),
            ("is" | "are", "there", _)
                | ("do" | "have", "i" | "we" | "you", "have" | "got" | "a" | "any")
        )
    }

    /// Whether calls have effects on things that nobody lists, as with servers of any kind. A home has
    /// all its things listed, and names for what is done with them.
    pub(super) fn has_unlisted_things(&self) -> bool {
        self.things.is_empty() && self.changes.is_some()
    }

    /// Whether the request asks for what is not so: `Which members have no address?`
    pub(super) fn asks_for_denial(&self) -> bool {
        self.question.iter().any(|word| super::NEGATORS.contains(&word.as_str()))
    }

    /// Whether the request orders something on a condition, which a bare yes or no answers to
    /// nobody: `if it is dark turn on the lamp`. `Tell me if it is dark` asks.
    pub(super) fn sets_a_condition(&self) -> bool {
        let conditions = self.question.iter().enumerate();
        conditions.filter(|(_, word)| matches!(word.as_str(), "if" | "unless")).any(|(at, _)| {
            let before = at.checked_sub(1).map_or("", |at| self.question[at].as_str());
            !matches!(before, "me" | "check" | "see" | "know" | "tell" | "look" | "ask" | "wonder")
        })
    }

    /// Whether the request asks if something has ended, which `Done.` answers.
    pub(super) fn asks_for_an_end(&self) -> bool {
        let is_end =
            |word: &String| matches!(word.as_str(), "done" | "finished" | "complete" | "ready");
        self.question.iter().any(is_end)
    }

    /// What was said and returned before the request that is judged.
    pub(super) fn said(&self) -> impl Iterator<Item = &'a str> {
        self.said.iter().copied()
    }

    /// The words of the request that say what it is about.
    pub(super) fn topic(&self) -> impl Iterator<Item = &str> {
        self.question.iter().map(String::as_str).filter(|word| !is_function_word(word))
    }

    /// The things a request is about: those it names, and those that were changed.
    pub(super) fn topic_things(&self) -> &[&'a WorldThing] {
        &self.topic_things
    }

    /// What the things are called, and the places that they are in.
    pub(super) fn names_and_places(&self) -> impl Iterator<Item = &str> {
        let names = |thing: &'a Arc<WorldThing>| thing.names.iter().chain(thing.all_place_names());
        self.things.iter().flat_map(names).map(String::as_str)
    }

    /// The arguments of all calls, by their names.
    pub(super) fn arguments(&self) -> impl Iterator<Item = (&'a String, &'a Value)> {
        self.calls.iter().filter_map(|call| call.arguments.as_object()).flatten()
    }

    /// The values of all arguments of the calls.
    pub(super) fn values_called(&self) -> impl Iterator<Item = &'a Value> {
        self.arguments().map(|(_, value)| value)
    }

    /// The texts among the values of the calls.
    pub(super) fn texts_called(&self) -> impl Iterator<Item = &'a str> {
        self.values_called().filter_map(Value::as_str)
    }

    /// Whether the calls changed a thing.
    pub(super) fn is_changed(&self, thing: &WorldThing) -> bool {
        self.changes.is_some_and(|all| all.get(&thing.id).is_some())
    }

    /// The things that were changed, or those that the request names where none was.
    pub(super) fn touched_things(&self) -> Vec<&'a WorldThing> {
        let topic = self.topic_things.iter().copied();
        let changed: Vec<&WorldThing> = topic.filter(|thing| self.is_changed(thing)).collect();
        if changed.is_empty() { self.topic_things.clone() } else { changed }
    }

    /// What names a place that was asked for or acted upon, in small letters.
    pub(super) fn places_acted_on(&self) -> Vec<String> {
        let mut known = vec![self.meant().join(" ")];
        // The last thing said is the request itself, of which only what was meant counts.
        let earlier = self.said.len().saturating_sub(1);
        known.extend(self.said[..earlier].iter().map(|text| text.to_lowercase()));
        for call in &self.calls {
            let values = call.arguments.as_object().into_iter().flatten().map(|(_, value)| value);
            known.extend(values.map(|value| value.to_string().to_lowercase()));
        }
        // A call for all means things that were so already too: `the garden gate`.
        let is_meant = |thing: &&&WorldThing| {
            let asked = |name: &Vec<String>| name.iter().all(|word| self.question.contains(word));
            !thing.name_words.iter().any(asked)
        };
        let meant = self.topic_things.iter().filter(is_meant).copied();
        for thing in self.touched_things().into_iter().chain(meant) {
            let names = thing.names.iter().chain(thing.all_place_names());
            known.extend(names.map(|name| name.to_lowercase()));
        }
        known
    }

    /// Every thing of the world with its names, word by word.
    pub(super) fn named_things(&self) -> impl Iterator<Item = (&'a WorldThing, &[Vec<String>])> {
        let glossed = self.glossed_names();
        let names = |(at, thing): (usize, &'a Arc<WorldThing>)| {
            (&**thing, glossed.get(at).map_or(&*thing.name_words, Vec::as_slice))
        };
        self.things.iter().enumerate().map(names)
    }

    /// By thing, its names as they are and in English: `Deckenlicht` and `ceiling light`. A question
    /// is held against the names in their own language: there are none for it.
    fn glossed_names(&self) -> &[Vec<Vec<String>>] {
        let is_acted_on =
            self.changes.and_then(Value::as_object).is_some_and(|all| !all.is_empty());
        if !self.is_glossed || !is_acted_on {
            return &[];
        }
        self.names.get_or_init(|| {
            let all = |thing: &Arc<WorldThing>| {
                let mut names = thing.name_words.clone();
                for name in &thing.names {
                    let english =
                        WorldThing::words_of(&super::gloss::english(&name.to_lowercase()));
                    // Any light is one.
                    let is_any =
                        matches!(&english[..], [word] if matches!(&**word, "light" | "lamp"));
                    if !english.is_empty() && !is_any && !names.contains(&english) {
                        names.push(english);
                    }
                }
                names
            };
            self.things.iter().map(all).collect()
        })
    }

    /// The names of one thing, as [`Self::named_things`] gives them.
    pub(super) fn names_of<'n>(&'n self, thing: &'n WorldThing) -> &'n [Vec<String>] {
        let glossed = self.glossed_names();
        let place = || self.things.iter().position(|own| std::ptr::eq(Arc::as_ptr(own), thing));
        let at = if glossed.is_empty() { None } else { place() };
        at.map_or(&thing.name_words, |at| &glossed[at])
    }

    /// The names of all places in the world, each once, word by word.
    pub(super) fn place_words(&self) -> &[Vec<String>] {
        self.place_words.get_or_init(|| {
            let names: IndexSet<&String> =
                self.things.iter().flat_map(|thing| thing.all_place_names()).collect();
            let words = names.into_iter().map(|name| WorldThing::words_of(name));
            words.filter(|words| !words.is_empty()).collect()
        })
    }

    /// A right answer as the case writes it, read.
    pub(super) fn reference(&self) -> Option<&Reply> {
        self.reference_read.get_or_init(|| self.reference.map(Reply::read)).as_deref()
    }

    /// The lists of things that the suite gives, by name.
    fn lists(&self) -> &IndexMap<String, Vec<Vec<String>>> {
        let read = || self.candidates.and_then(|lists| Candidates::lists(lists).ok());
        self.lists.get_or_init(|| read().unwrap_or_default())
    }

    /// Every list of things that the suite gives.
    pub(super) fn all_lists(&self) -> impl Iterator<Item = &[Vec<String>]> {
        self.lists().values().map(Vec::as_slice)
    }

    /// A list of things that the suite gives by name.
    pub(super) fn list(&self, name: &str) -> Option<&[Vec<String>]> {
        self.lists().get(name).map(Vec::as_slice)
    }

    /// All names of what the suite's lists call so.
    pub(super) fn other_names<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'n str> {
        let is_own = move |names: &&Vec<String>| names.iter().any(|own| own == name);
        self.lists().values().flatten().filter(is_own).flatten().map(String::as_str)
    }

    /// The numbers and dates of all that stands behind a right answer.
    fn values(&self) -> &SourceFigures {
        self.values.get_or_init(|| {
            let mut all = SourceFigures::default();
            for text in &self.texts {
                let own = SourceFigures::read(text);
                all.numbers.extend(&own.numbers);
                all.dates.extend(&own.dates);
            }
            all
        })
    }

    /// What tools returned in this trial.
    pub(super) fn returned_texts(&self) -> impl Iterator<Item = &'a str> {
        self.returned.iter().copied()
    }

    /// The numbers that tools returned in this trial.
    pub(super) fn returned(&self) -> Vec<f64> {
        let mut numbers: Vec<f64> = Vec::new();
        for text in &self.returned {
            numbers.extend(SourceFigures::read(text).numbers.iter().map(|number| number.value));
        }
        // A whole home read aloud would support any number.
        if numbers.len() > 60 { Vec::new() } else { numbers }
    }

    /// Whether a number is told by anything that stands behind a right answer, or follows from
    /// two numbers that a right answer may hold.
    pub(super) fn supports(&self, said: &NumberWithUnit, wanted: &[f64]) -> bool {
        let number = said.value;
        let is_percent = said.unit == Some(MeasureUnit::PERCENT);
        let near =
            |other: f64| (other.abs() - number.abs()).abs() <= 0.005 * number.abs().max(0.01);
        let known = self.values().numbers.iter().map(|number| number.value);
        if known.chain(wanted.iter().copied()).any(near) {
            return true;
        }
        // What follows from all numbers that were looked up would support anything.
        let told = self.reference().map(Reply::numbers).unwrap_or_default();
        let told: Vec<f64> =
            told.iter().map(|told| told.value.value).chain(wanted.iter().copied()).collect();
        let percent = |other: f64| (other - number).abs() < 1.0;
        told.iter().enumerate().any(|(at, one)| {
            told[at + 1..].iter().any(|other| {
                near(one + other)
                    || near(one - other)
                    // Per month of a year, or per person: a larger divisor would fit too much by
                    // accident.
                    || *other <= 12.0 && near(one / other)
                    || *one <= 12.0 && near(other / one)
                    || is_percent
                        && (percent(one / other * 100.0)
                            || percent(other / one * 100.0)
                            || percent((one - other).abs() / one * 100.0)
                            || percent((one - other).abs() / other * 100.0))
            })
        })
    }

    /// Whether a number is told by what was looked up or asked, rounded at most.
    pub(super) fn supports_closely(&self, number: f64, wanted: &[f64]) -> bool {
        let known = self.values().numbers.iter().map(|number| number.value);
        let near = |other: f64| {
            (other - number).abs() < 0.51 && (other.round() - number.round()).abs() < 0.5
                || (other - number).abs() < 0.06
        };
        let told = |other: f64| near(other) || near(other * 100.0) || near(other / 255.0 * 100.0);
        let known: Vec<f64> = known.chain(wanted.iter().copied()).collect();
        known.iter().any(|other| told(*other))
            || known.len() <= 6
                // Differences of many numbers would reach nearly any number.
                && known.iter().any(|one| known.iter().any(|other| near(one - other)))
    }

    /// Whether a number is a rounded one of those that were looked up or asked.
    pub(super) fn supports_roughly(&self, number: f64, wanted: &[f64]) -> bool {
        let known = self.values().numbers.iter().map(|number| number.value);
        known.chain(wanted.iter().copied()).any(|other| {
            let near = |other: f64| (other - number).abs() <= 0.15 * number.abs().max(1.0);
            let fahrenheit = other * 1.8 + 32.0;
            near(other) || near(other * 100.0) || near(other / 255.0 * 100.0) || near(fahrenheit)
        })
    }

    /// Whether the request, what was said before or the reference holds a word or one made of it.
    pub(super) fn speaks_of(&self, word: &str) -> bool {
        let texts = self.texts[..self.said_before]
            .iter()
            .chain(&self.texts[self.said_before + self.returned.len()..]);
        texts.into_iter().any(|text| text.to_lowercase().contains(word))
    }

    /// What tools returned, the reference, and the passages and rows that prove it.
    pub(super) fn sources(&self) -> impl Iterator<Item = &'a str> {
        self.texts[self.said_before..].iter().copied()
    }

    /// All that stands behind a right answer.
    pub(super) fn all_texts(&self) -> impl Iterator<Item = &'a str> {
        self.texts.iter().copied()
    }

    /// Whether a date is told by anything that stands behind a right answer.
    pub(super) fn supports_date(&self, date: Date) -> bool {
        self.values().dates.iter().any(|other| date.is_met_by(*other))
            || self.today.is_some_and(|today| date.is_met_by(today))
    }
}

/// The things that a request names, or that were changed.
fn topic_things<'a>(evidence: &Evidence<'a>, question: &[String]) -> Vec<&'a WorldThing> {
    let Some(states) = evidence.states else { return Vec::new() };
    let is_changed = |thing: &WorldThing| states.actual.changes.get(&thing.id).is_some();
    let is_named = |thing: &WorldThing| {
        thing.name_words.iter().any(|words| {
            !words.is_empty() && question.windows(words.len()).any(|window| window == words)
        })
    };
    let all = || states.things.iter().map(|thing| &**thing);
    let grouped: Vec<&WorldThing> = all().filter(|thing| is_changed(thing)).collect();
    let called = Called::of(evidence);
    let is_grouped = !grouped.is_empty() && !grouped.iter().any(|thing| called.names(thing));
    // Of those that a call means together, some may have been so already.
    let was_so = |thing: &WorldThing| {
        let is_alike = |own: &&WorldThing| own.kind() == thing.kind() && own.state == thing.state;
        is_grouped && grouped.iter().any(is_alike) && called.covers(thing, &states.things)
    };
    all().filter(|thing| is_changed(thing) || is_named(thing) || was_so(thing)).collect()
}

/// The texts of the calls' arguments, in small letters.
struct Called(HashSet<String>);

impl Called {
    fn of(evidence: &Evidence<'_>) -> Self {
        let calls = evidence.transcript.messages.iter().filter_map(|message| match message {
            Message::Assistant(message) => Some(&message.calls),
            _ => None,
        });
        let values = calls.flatten().filter_map(|call| call.arguments.as_object()).flatten();
        let texts = values.filter_map(|(_, value)| value.as_str()).map(str::to_lowercase);
        Self(texts.collect())
    }

    fn names(&self, thing: &WorldThing) -> bool {
        thing.names.iter().any(|name| self.0.contains(&name.to_lowercase()))
    }

    /// Whether a thing is in a place that is called, or no place is.
    fn covers(&self, thing: &WorldThing, all: &[Arc<WorldThing>]) -> bool {
        let is_called = |thing: &WorldThing| {
            thing.all_place_names().any(|place| self.0.contains(&place.to_lowercase()))
        };
        is_called(thing) || !all.iter().any(|thing| is_called(thing))
    }
}

fn said_before(case: &Case) -> Vec<&str> {
    case.input.iter().map(text_of).collect()
}

/// The words of a request, in English where it is in another language.
fn in_english(text: &str) -> Vec<String> {
    // Short requests have no small words that would tell their language.
    let is_glossed = Reply::is_glossed(text);
    let read = if is_glossed { Reply::read_glossed(text) } else { Reply::read_any(text) };
    read.words.iter().map(|word| word.text.clone()).collect()
}

fn text_of(message: &Message) -> &str {
    match message {
        Message::User { content } | Message::System { content } => content.as_str(),
        Message::Assistant(message) => message.content.as_str(),
        Message::Tool(message) => message.content.as_str(),
    }
}

/// The minutes of a time written `18:42` or `18:42:00`.
pub(super) fn minutes_of_day(text: &str) -> Option<u32> {
    let (hours, rest) = text.split_once(':')?;
    let minutes = rest.split_once(':').map_or(rest, |(minutes, _)| minutes);
    let hours = hours.parse::<u32>().ok().filter(|hours| *hours < 24)?;
    let minutes = minutes.parse::<u32>().ok().filter(|minutes| *minutes < 60)?;
    Some(hours * 60 + minutes)
}
