//! Which trials a list shows, and in which order: the state of the list, as it stands in a URL.

use toolgauge_core::Cause;
use toolgauge_report::CaseStanding;

use crate::list_column::ListColumn;
use crate::parameters::Parameters;
use crate::sorting::Sorting;

/// Which standings a list shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StandingFilter {
    /// One of them.
    Only(CaseStanding),
    /// What has a score and does not pass.
    NotPass,
}

impl StandingFilter {
    /// Every filter, in the order forms show them.
    pub(crate) const ALL: [Self; 5] = [
        Self::Only(CaseStanding::Pass),
        Self::NotPass,
        Self::Only(CaseStanding::Partial),
        Self::Only(CaseStanding::Fail),
        Self::Only(CaseStanding::Unscored),
    ];

    /// The name used in URLs.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Only(standing) => standing.name(),
            Self::NotPass => "not_pass",
        }
    }

    /// The words shown to people.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Only(standing) => standing.name(),
            Self::NotPass => "partial or fail",
        }
    }

    /// Whether trials of this standing are shown.
    pub(crate) fn accepts(self, standing: CaseStanding) -> bool {
        match self {
            Self::Only(wanted) => wanted == standing,
            Self::NotPass => matches!(standing, CaseStanding::Partial | CaseStanding::Fail),
        }
    }
}

/// Which trials a list shows. What is not given is not asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CaseQuery {
    /// How it went.
    pub(crate) mark: Option<StandingFilter>,
    /// A cause that cost points.
    pub(crate) cause: Option<Cause>,
    /// A failure pattern, by name.
    pub(crate) pattern: Option<String>,
    /// A dimension that was judged wrong.
    pub(crate) dimension: Option<String>,
    /// Tags and their values.
    pub(crate) tags: Vec<(String, String)>,
    /// Words that the name, the request or the transcript holds.
    pub(crate) text: String,
    /// The order.
    pub(crate) sorting: Sorting,
    /// Whether the order is turned round.
    pub(crate) reversed: bool,
    /// What the list shows of each trial.
    pub(crate) columns: Vec<ListColumn>,
}

impl Default for CaseQuery {
    fn default() -> Self {
        Self {
            mark: None,
            cause: None,
            pattern: None,
            dimension: None,
            tags: Vec::new(),
            text: String::new(),
            sorting: Sorting::default(),
            reversed: false,
            columns: ListColumn::USUAL.to_vec(),
        }
    }
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
            columns: ListColumn::chosen(parameters.all("column")),
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
        add("verdict", self.mark.map_or("", StandingFilter::name));
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
        if self.columns != ListColumn::USUAL {
            self.columns.iter().for_each(|column| add("column", &column.name()));
        }
        parameters
    }

    /// Whether fewer than all trials may be shown.
    pub(crate) fn is_filter(&self) -> bool {
        let Self { sorting, reversed, .. } = *self;
        let columns = self.columns.clone();
        *self != Self { sorting, reversed, columns, ..Self::default() }
    }

    /// The value asked for of a tag.
    pub(crate) fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The same query, from the lowest score on.
    #[must_use]
    pub(crate) fn worst_first(self) -> Self {
        Self { sorting: Sorting::Score, reversed: true, ..self }
    }

    /// The same query in this order; turned round if it is in this order already.
    #[must_use]
    pub(crate) fn sorted_by(&self, sorting: Sorting) -> Self {
        let reversed = self.sorting == sorting && !self.reversed;
        Self { sorting, reversed, ..self.clone() }
    }
}

/// A standing by its name. Addresses that were kept may have the names of earlier versions.
fn standing(name: &str) -> Option<StandingFilter> {
    match name {
        "right" => Some(StandingFilter::Only(CaseStanding::Pass)),
        "partly" => Some(StandingFilter::Only(CaseStanding::Partial)),
        "wrong" => Some(StandingFilter::Only(CaseStanding::Fail)),
        name => StandingFilter::ALL.into_iter().find(|filter| filter.name() == name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Link;

    #[test]
    fn a_query_survives_being_a_link() {
        let query = CaseQuery {
            mark: Some(StandingFilter::NotPass),
            cause: Some(Cause::WrongValue),
            pattern: Some("wrong_value@light.on.name".into()),
            dimension: Some("arguments".into()),
            tags: vec![("tier".into(), "a=b&c".into())],
            text: "küche & <b>".into(),
            sorting: Sorting::Latency,
            reversed: true,
            columns: vec![ListColumn::Tokens, ListColumn::Tag("a b".into())],
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
