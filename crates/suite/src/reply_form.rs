//! Reads what declared tools answer.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use crate::fields::{FieldNames, ObjectFields};
use crate::suite::ReplySpec;

pub(crate) static REPLY: FieldNames =
    FieldNames { noun: "a canned reply", fields: &["when", "reply"], synonyms: &[("if", "when")] };

/// Reads the canned replies of a suite, by tool.
pub(crate) fn read_replies(fields: &mut ObjectFields<'_>) -> IndexMap<String, Vec<ReplySpec>> {
    let trail = fields.trail.key("replies");
    let findings = fields.findings;
    let mut replies = IndexMap::new();
    for (tool, value) in fields.object("replies").unwrap_or_default() {
        let here = trail.key(&tool);
        let list = match value {
            Value::Array(items) => {
                let read = |(index, item)| {
                    let here = here.index(index);
                    let mut fields = ObjectFields::open(item, &REPLY, &here, findings)?;
                    let when = fields.object("when").unwrap_or_default();
                    let Some(reply) = fields.take("reply") else {
                        fields.missing("reply", "to answer with a list, write `- reply: […]`");
                        return None;
                    };
                    Some(ReplySpec { when, reply })
                };
                items.into_iter().enumerate().filter_map(read).collect()
            }
            reply => vec![ReplySpec { when: Map::new(), reply }],
        };
        replies.insert(tool, list);
    }
    replies
}
