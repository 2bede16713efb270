//! Media players: relative volume, searching and playing.

use serde_json::{Map, Value, json};

use super::matching::{Constraints, Features, Preferences, Reason};
use super::reply::{CallAnswer, CallFailure, CallOutcome, IntentAnswer, Read};
use super::slots::{Slots, VolumeStep};
use super::strict::{self, Parameter, ParameterTakes};
use crate::features::media_player::{PLAY_MEDIA, SEARCH_MEDIA, VOLUME_SET};
use crate::inventory::{MediaItem, casefold};
use crate::state::HomeState;

/// The volume a player goes up or down by when it is not told by how much.
const STEP: f64 = 0.1;

/// The volume of a player whose inventory does not speak of volume at all.
const USUAL_VOLUME: f64 = 0.5;

/// The most results a search gives.
const MOST_RESULTS: usize = 35;

const SEARCH: Features = Features {
    bits: SEARCH_MEDIA | PLAY_MEDIA,
    name: "MediaPlayerEntityFeature.PLAY_MEDIA|SEARCH_MEDIA",
};

impl HomeState {
    /// Makes players louder or quieter: those that play, where no name says which.
    pub(super) fn set_volume_relative(&mut self, intent: &str, slots: &Slots<'_>) -> CallOutcome {
        let constraints = Constraints {
            name: slots.filled("name"),
            area: slots.filled("area"),
            floor: slots.filled("floor"),
            domains: Some(vec!["media_player"]),
            features: Some(Features {
                bits: VOLUME_SET,
                name: "MediaPlayerEntityFeature.VOLUME_SET",
            }),
            ..Constraints::default()
        };
        let preferences = slots.preferences();
        let mut players = self
            .find(&constraints, &preferences)
            .map_err(|reason| self.unmatched(reason, &constraints, None))?
            .entities;
        if players.len() > 1 && !slots.has("name") {
            players.retain(|&at| self.view(at).state == "playing");
            if players.is_empty() {
                return Err(self.unmatched(Reason::State, &constraints, Some(&preferences)));
            }
        }
        let step = slots.volume_step().unwrap_or(VolumeStep::By(0.0));
        // Home Assistant works out all volumes before it sets the first.
        let volumes = players.iter().map(|&at| self.changed_volume(at, step, intent));
        let volumes: Vec<Option<f64>> = volumes.collect::<Result<_, _>>()?;
        for (at, volume) in players.into_iter().zip(volumes) {
            if let Some(volume) = volume {
                self.set(at, "volume_level", volume);
            }
        }
        Ok(CallAnswer::done())
    }

    /// What a volume becomes, if it changes. A volume that is not known cannot be added to.
    fn changed_volume(
        &self,
        at: usize,
        step: VolumeStep,
        intent: &str,
    ) -> Result<Option<f64>, CallFailure> {
        let view = self.view(at);
        let level = match view.remembered("volume_level") {
            None if !view.has("volume_level") => Some(USUAL_VOLUME),
            level => level.and_then(Value::as_f64),
        };
        let changed = match (step, level) {
            (VolumeStep::By(_), None) => return Err(CallFailure::unexpected(intent)),
            (VolumeStep::By(step), Some(level)) => Some((level + step).clamp(0.0, 1.0)),
            (VolumeStep::Up, Some(level)) if level < 1.0 => Some((level + STEP).min(1.0)),
            (VolumeStep::Down, Some(level)) if level > 0.0 => Some((level - STEP).max(0.0)),
            _ => None,
        };
        Ok(changed.filter(|_| view.is_available()))
    }

    /// Searches the one player that is meant.
    pub(super) fn search_media(
        &mut self,
        name: &str,
        arguments: &Map<String, Value>,
    ) -> CallOutcome {
        let texts = strict::check_filled(
            self.setting.profile,
            &[
                Parameter::required("search_query", ParameterTakes::Text),
                Parameter::optional("within_media_content_id", ParameterTakes::Text),
                Parameter::optional("within_media_content_type", ParameterTakes::Text),
                Parameter::optional("player_name", ParameterTakes::Text),
                Parameter::optional("player_area", ParameterTakes::Text),
                Parameter::optional("player_floor", ParameterTakes::Text),
            ],
            arguments,
        )?;
        let player = self.player(
            texts.get("player_name"),
            texts.get("player_area"),
            texts.get("player_floor"),
            &self.preferences(),
        )?;
        self.answers(player)?;
        let results = self.found_media(texts.get("search_query").unwrap_or_default(), None);
        if results.is_empty() {
            return Ok(CallAnswer::plain(json!({ "results": results })));
        }
        let prefix = name.strip_suffix("search_media").unwrap_or_default();
        let instruction = format!(
            "To play a result that can_play, call {prefix}play_media with its media_content_id \
             and media_content_type. To search inside a result that can_search, call \
             {prefix}search_media again with its media_content_id and media_content_type as \
             within_media_content_id and within_media_content_type. Pass the same player_name, \
             player_area and player_floor as this search."
        );
        let found = json!({"results": results, "instruction": instruction});
        Ok(CallAnswer::plain(found))
    }

    /// Plays something on the one player that is meant.
    pub(super) fn play_media(&mut self, arguments: &Map<String, Value>) -> CallOutcome {
        let texts = strict::check_filled(
            self.setting.profile,
            &[
                Parameter::required("media_content_id", ParameterTakes::Text),
                Parameter::required("media_content_type", ParameterTakes::Text),
                Parameter::optional("player_name", ParameterTakes::Text),
                Parameter::optional("player_area", ParameterTakes::Text),
                Parameter::optional("player_floor", ParameterTakes::Text),
            ],
            arguments,
        )?;
        let player = self.player(
            texts.get("player_name"),
            texts.get("player_area"),
            texts.get("player_floor"),
            &self.preferences(),
        )?;
        self.play(player, texts.get("media_content_id").unwrap_or_default());
        let done = json!({"success": true});
        Ok(CallAnswer::Read(Read { current: done.clone(), earlier: done }))
    }

    /// Searches and plays the first thing found, as it was done before 2026.10.
    pub(super) fn search_and_play(&mut self, slots: &Slots<'_>) -> CallOutcome {
        let player = self.player(
            slots.filled("name"),
            slots.filled("area"),
            slots.filled("floor"),
            &slots.preferences(),
        )?;
        self.answers(player).map_err(|failure| failure.while_doing("Error searching media"))?;
        let query = slots.text("search_query").unwrap_or_default();
        let Some(first) = self.found_media(query, slots.text("media_class")).into_iter().next()
        else {
            return Ok(CallAnswer::done());
        };
        self.play(player, &first.media_content_id);
        let media = json!({
            "title": first.title,
            "media_class": first.media_class,
            "media_content_type": first.media_content_type,
            "media_content_id": first.media_content_id,
            "children_media_class": null,
            "can_play": first.can_play,
            "can_expand": false,
            "can_search": first.can_search,
            "thumbnail": null,
            "not_shown": 0,
            "children": [],
        });
        let speech_slots = Some(json!({ "media": media }));
        Ok(CallAnswer::Intent(IntentAnswer { speech_slots, ..IntentAnswer::default() }))
    }

    fn player(
        &self,
        name: Option<&str>,
        area: Option<&str>,
        floor: Option<&str>,
        preferences: &Preferences,
    ) -> Result<usize, CallFailure> {
        let filled =
            |text: Option<&'_ str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
        let (name, area, floor) = (filled(name), filled(area), filled(floor));
        let constraints = Constraints {
            name: name.as_deref(),
            area: area.as_deref(),
            floor: floor.as_deref(),
            domains: Some(vec!["media_player"]),
            features: Some(SEARCH),
            single_target: true,
            ..Constraints::default()
        };
        let found = self.find(&constraints, preferences);
        let found = found.map_err(|reason| self.unmatched(reason, &constraints, None))?;
        Ok(found.entities[0])
    }

    pub(super) fn play(&mut self, at: usize, id: &str) {
        if self.view(at).is_available() {
            self.set_state(at, "playing");
            self.set(at, "media_title", id);
        }
    }

    /// What a player finds: titles of the home's library that hold the words, or, in a home
    /// without one, an artist of just that name.
    fn found_media(&self, query: &str, class: Option<&str>) -> Vec<MediaItem> {
        let Some(library) = &self.inventory().library else {
            return vec![any_artist(query, class)];
        };
        let wanted = casefold(query.trim());
        let fits = |item: &&MediaItem| {
            casefold(&item.title).contains(&wanted)
                && class.is_none_or(|class| item.media_class == class)
        };
        library.iter().filter(fits).take(MOST_RESULTS).cloned().collect()
    }
}

fn any_artist(query: &str, class: Option<&str>) -> MediaItem {
    let slug = casefold(query.trim()).split_whitespace().collect::<Vec<_>>().join("_");
    MediaItem {
        title: query.to_owned(),
        media_class: class.unwrap_or("artist").to_owned(),
        media_content_type: "music".to_owned(),
        media_content_id: format!("lib://{slug}"),
        can_play: true,
        can_search: false,
    }
}
