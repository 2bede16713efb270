//! To-do lists, put back to what they held when the run began.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Value, json};

/// The items of each list.
pub(crate) type Lists = IndexMap<String, Vec<ListItem>>;

/// An item of a list.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub(crate) struct ListItem {
    #[serde(default)]
    summary: String,
    #[serde(default)]
    uid: Option<String>,
    #[serde(default)]
    status: Option<String>,
    #[serde(default)]
    due: Option<String>,
    #[serde(default)]
    description: Option<String>,
}

/// What Home Assistant answers when it is asked for the items.
#[derive(Debug, Deserialize)]
pub(crate) struct ListAnswer {
    pub(crate) items: Vec<ListItem>,
}

impl ListItem {
    fn is_same(&self, other: &Self) -> bool {
        self.summary == other.summary
    }

    /// What names it in a service call: its number, or else its words.
    fn key(&self) -> &str {
        self.uid.as_deref().unwrap_or(&self.summary)
    }
}

/// The services that put a list back, with their data.
pub(crate) fn repairs(wanted: &[ListItem], found: &[ListItem]) -> Vec<(&'static str, Value)> {
    let mut repairs = Vec::new();
    let mut left = found.to_vec();
    for item in wanted {
        let Some(at) = left.iter().position(|found| found.is_same(item)) else {
            let mut data = json!({"item": item.summary});
            let has_time = |due: &String| due.contains('T');
            let due = item
                .due
                .as_ref()
                .map(|due| (if has_time(due) { "due_datetime" } else { "due_date" }, due));
            let description = item.description.as_ref().map(|text| ("description", text));
            for (name, value) in due.into_iter().chain(description) {
                data[name] = value.clone().into();
            }
            repairs.push(("add_item", data));
            if item.status.as_deref() == Some("completed") {
                let data = json!({"item": item.summary, "status": "completed"});
                repairs.push(("update_item", data));
            }
            continue;
        };
        let found = left.remove(at);
        if found.status != item.status && item.status.is_some() {
            repairs.push(("update_item", json!({"item": found.key(), "status": item.status})));
        }
    }
    // What is left was added by the agent.
    let added = left.iter().map(|item| ("remove_item", json!({"item": item.key()})));
    repairs.extend(added);
    repairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_put_back_item_by_item() {
        let item = |summary: &str, status: &str| ListItem {
            summary: summary.into(),
            uid: Some(format!("{summary}-1")),
            status: Some(status.into()),
            ..ListItem::default()
        };
        let wanted = [item("Milk", "needs_action"), item("Eggs", "completed")];
        let found = [item("Milk", "completed"), item("Bread", "needs_action")];
        assert_eq!(
            repairs(&wanted, &found),
            [
                ("update_item", json!({"item": "Milk-1", "status": "needs_action"})),
                ("add_item", json!({"item": "Eggs"})),
                ("update_item", json!({"item": "Eggs", "status": "completed"})),
                ("remove_item", json!({"item": "Bread-1"})),
            ]
        );
        assert_eq!(repairs(&wanted, &wanted), []);
    }
}
