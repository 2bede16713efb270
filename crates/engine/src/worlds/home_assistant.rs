//! What a suite may say of a Home Assistant world, and the world it makes.

use std::sync::Arc;

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value};
use toolgauge_home_assistant::{
    Clock, EntityOrder, HomeAssistantWorld, Inventory, Profile, PromptOptions, TimePlace,
    tools_from_json,
};
use toolgauge_suite::Suite;

/// What stands under `world` beside its kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HomeAssistantConfig {
    /// The home: one file, or several that add to each other.
    inventory: Option<Files>,
    /// A home for each tier, in place of one for all.
    #[serde(default)]
    tiers: IndexMap<String, Files>,
    /// No more than so many entities are exposed, drawn by chance.
    expose: Option<usize>,
    /// Which Home Assistant is played.
    profile: Option<String>,
    /// The satellite that is spoken to where a case does not say.
    satellite: Option<String>,
    /// A file of instructions in place of Home Assistant's own, or their `text`.
    instructions: Option<Value>,
    /// A file of tools in place of Home Assistant's own.
    tools: Option<String>,
    /// Where in the prompt the time stands: `first`, `last`.
    time: Option<String>,
    /// Gives every case a time of its own.
    #[serde(default)]
    varying_time: bool,
    /// A moment in place of the inventory's.
    clock: Option<String>,
    /// In which order entities are listed: `as_listed`, `by_name`, `reversed`, or a number that
    /// shuffles them.
    entities: Option<Value>,
    /// What is said at the end of the prompt, such as `/no_think`.
    suffix: Option<String>,
}

/// One file or several.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Value")]
struct Files(Vec<String>);

impl TryFrom<Value> for Files {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        let wrong = "an inventory is the name of a file, or a list of such names";
        let name = |value: Value| match value {
            Value::String(name) => Ok(name),
            _ => Err(wrong),
        };
        match value {
            Value::Array(names) if !names.is_empty() => {
                Ok(Self(names.into_iter().map(name).collect::<Result<_, _>>()?))
            }
            other => Ok(Self(vec![name(other)?])),
        }
    }
}

/// Builds the world, or says what is wrong with what the suite says of it.
pub(super) fn build(
    suite: &Suite,
    config: &Map<String, Value>,
) -> Result<HomeAssistantWorld, String> {
    let config: HomeAssistantConfig = serde_json::from_value(Value::Object(config.clone()))
        .map_err(|error| format!("the world of `{}`: {error}", suite.name))?;
    let inventory = |files: &Files| {
        let home = inventory(suite, files)?;
        Ok::<_, String>(match config.expose {
            Some(count) => Arc::new(home.exposing(count)),
            None => home,
        })
    };
    let mut homes = IndexMap::new();
    for (tier, files) in &config.tiers {
        homes.insert(tier.clone(), inventory(files)?);
    }
    // A case without a tier still needs a home: the one named for all, else that of the first tier.
    let first = match (&config.inventory, homes.first()) {
        (Some(files), _) => inventory(files)?,
        (None, Some((_, first))) => Arc::clone(first),
        (None, None) => {
            return Err("a home needs an `inventory`, or one for each of `tiers`".into());
        }
    };
    let mut builder = HomeAssistantWorld::builder(first)
        .prompt(options(suite, &config)?)
        .satellite(config.satellite.clone());
    for (tier, home) in homes {
        builder = builder.tier(tier, home);
    }
    if let Some(profile) = &config.profile {
        builder = builder.profile(profile.parse::<Profile>().map_err(|error| error.to_string())?);
    }
    if let Some(file) = &config.tools {
        let tools = tools_from_json(&text(suite, file)?);
        builder = builder.tools(tools.map_err(|error| format!("`{file}`: {error}"))?);
    }
    if let Some(moment) = &config.clock {
        let clock = Clock::new(moment, None).map_err(|error| format!("`clock`: {error}"))?;
        builder = builder.clock(clock);
    }
    if config.varying_time {
        builder = builder.varying_time();
    }
    builder.build().map_err(|error| error.to_string())
}

fn options(suite: &Suite, config: &HomeAssistantConfig) -> Result<PromptOptions, String> {
    let instructions = match &config.instructions {
        // Editors end files with a line break, which would stand in the prompt.
        Some(Value::String(file)) => Some(text(suite, file)?.trim_end().to_owned()),
        Some(given) => match given.get("text").and_then(Value::as_str) {
            Some(text) => Some(text.trim_end().to_owned()),
            None => return Err("`instructions` is the name of a file, or `{text: …}`".into()),
        },
        None => None,
    };
    let time = match config.time.as_deref() {
        None => TimePlace::AsProfile,
        Some("first") => TimePlace::First,
        Some("last") => TimePlace::Last,
        Some(other) => return Err(format!("`time` is `first` or `last`, not `{other}`")),
    };
    let entities = match &config.entities {
        None => EntityOrder::AsProfile,
        Some(Value::Number(seed)) if seed.is_u64() => {
            EntityOrder::Shuffled(seed.as_u64().unwrap_or_default())
        }
        Some(order) => match order.as_str() {
            Some("as_listed") => EntityOrder::AsListed,
            Some("by_name") => EntityOrder::ByName,
            Some("reversed") => EntityOrder::Reversed,
            _ => {
                let known = "`as_listed`, `by_name`, `reversed` or a number to shuffle by";
                return Err(format!("`entities` is {known}, not `{order}`"));
            }
        },
    };
    Ok(PromptOptions { instructions, time, entities, suffix: config.suffix.clone() })
}

fn inventory(suite: &Suite, files: &Files) -> Result<Arc<Inventory>, String> {
    let mut texts = Vec::new();
    for file in &files.0 {
        texts.push((file.as_str(), text(suite, file)?));
    }
    let parts: Vec<(&str, &str)> =
        texts.iter().map(|(file, text)| (*file, text.as_str())).collect();
    Inventory::from_files(&parts).map_err(|error| error.to_string())
}

fn text(suite: &Suite, file: &str) -> Result<String, String> {
    let bytes = suite.read(file).map_err(|error| format!("cannot read `{file}`: {error}"))?;
    String::from_utf8(bytes).map_err(|_| format!("`{file}` is not UTF-8"))
}
