//! Puts entities into the states that a case's `setup` or a scene asks for.

use serde_json::{Map, Value};

use super::HomeState;
use crate::inventory::state_text;

impl HomeState {
    /// Changes states before a trial: by entity id, a state or a mapping of `state` and
    /// attributes. Entities the home does not have are passed over, and so is what can be no state.
    pub fn arrange(&mut self, setup: &Map<String, Value>) {
        for (id, wanted) in setup {
            let Some(at) = self.inventory().index.entity(id) else { continue };
            let Value::Object(settings) = wanted else {
                self.arrange_state(at, wanted);
                continue;
            };
            for (name, value) in settings {
                if name == "state" {
                    self.arrange_state(at, value);
                } else {
                    self.set(at, name, value.clone());
                }
            }
        }
    }

    fn arrange_state(&mut self, at: usize, wanted: &Value) {
        if let Some(state) = state_text(wanted) {
            self.set_state(at, &state);
        }
    }
}
