//! Which trials a list shows, and in which order: the state of the list, as it stands in a URL.

use toolgauge_core::Cause;
use toolgauge_report::CaseStanding;

use crate::parameters::Parameters;
use crate::sorting::Sorting;

/// Which trials a list shows. What is not given is not asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CaseQuery {
    /// How it went.
    pub(crate) mark: Option<CaseStanding>,
    /// A cause that cost points.
    pub(crate) cause: Option<Cause>,
    /// A failure pattern, by name.
    pub(crate) pattern: Option<String>,
    /// A dimension that was judged wrong.
    pub(crate) dimension: Option<String>,
    /// Tags and their values.
    pub(crate) tags: Vec<(String, String)>,
    /// Words that the name or the sentence holds.
    pub(crate) text: String,
    /// The order.
    pub(crate) sorting: Sorting,
    /// Whether the order is turned round.
    pub(crate) reversed: bool,
}

impl CaseQuery {
    /// Reads a query. What makes no sense is as if it were not there.
    pub(crate) fn read(parameters: &Parameters) -> Self {
        let tag = |text: &str| {
            let (name, value) = text.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        };
        // A form sends each tag by itself, as `tag:NAME`; links put both into one.
        let own = parameters.iter().filter_map(|(name, value)| {
            let tag = name.strip_prefix("tag:").filter(|_| !value.is_empty())?;
            Some((tag.to_owned(), value.to_owned()))
        });
        let given = |name| parameters.given(name);
        Self {
            mark: given("verdict").and_then(standing),
            cause: given("cause")
                .and_then(|name| Cause::ALL.iter().copied().find(|cause| cause.name() == name)),
            pattern: given("pattern").map(str::to_owned),
            dimension: given("dimension").map(str::to_owned),
            tags: parameters.all("tag").filter_map(tag).chain(own).collect(),
            text: given("q").unwrap_or_default().to_owned(),
            sorting: given("sort")
                .and_then(|name| Sorting::ALL.into_iter().find(|sort| sort.name() == name))
                .unwrap_or_default(),
            reversed: given("reversed").is_some(),
        }
    }

    /// The query as parameters, without what is not asked for.
    pub(crate) fn parameters(&self) -> Vec<(String, String)> {
        let mut parameters: Vec<(String, String)> = Vec::new();
        let mut add = |name: &str, value: &str| {
            if !value.is_empty() {
                parameters.push((name.to_owned(), value.to_owned()));
            }
        };
        add("q", &self.text);
        add("verdict", self.mark.map_or("", CaseStanding::name));
        add("cause", self.cause.map_or("", Cause::name));
        add("pattern", self.pattern.as_deref().unwrap_or_default());
        add("dimension", self.dimension.as_deref().unwrap_or_default());
        for (name, value) in &self.tags {
            add("tag", &format!("{name}={value}"));
        }
        if self.sorting != Sorting::default() {
            add("sort", self.sorting.name());
        }
        add("reversed", if self.reversed { "1" } else { "" });
        parameters
    }

    /// Whether fewer than all trials may be shown.
    pub(crate) fn is_filter(&self) -> bool {
        let plain = Self { sorting: self.sorting, reversed: self.reversed, ..Self::default() };
        *self != plain
    }

    /// The value asked for of a tag.
    pub(crate) fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The same query in this order; turned round if it is in this order already.
    #[must_use]
    pub(crate) fn sorted_by(&self, sorting: Sorting) -> Self {
        let reversed = self.sorting == sorting && !self.reversed;
        Self { sorting, reversed, ..self.clone() }
    }
}

/// A standing by its name. Addresses that were kept may have the names of earlier versions.
fn standing(name: &str) -> Option<CaseStanding> {
    match name {
        "right" => Some(CaseStanding::Pass),
        "partly" => Some(CaseStanding::Partial),
        "wrong" => Some(CaseStanding::Fail),
        name => CaseStanding::ALL.into_iter().find(|standing| standing.name() == name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Link;

    #[test]
    fn a_query_survives_being_a_link() {
        let query = CaseQuery {
            mark: Some(CaseStanding::Fail),
            cause: Some(Cause::WrongValue),
            pattern: Some("wrong_value@light.on.name".into()),
            dimension: Some("arguments".into()),
            tags: vec![("tier".into(), "a=b&c".into())],
            text: "küche & <b>".into(),
            sorting: Sorting::Latency,
            reversed: true,
        };
        let link = Link::to("/").and(query.parameters()).href();
        let read = Parameters::read(link.split_once('?').unwrap().1.as_bytes());
        assert_eq!(CaseQuery::read(&read), query);
    }

    #[test]
    fn nonsense_asks_for_everything() {
        let read = Parameters::read(b"verdict=maybe&cause=x&tag=none&sort=up&q=");
        assert_eq!(CaseQuery::read(&read), CaseQuery::default());
    }
}
