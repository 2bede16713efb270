//! Reading a running Home Assistant.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::error::EARLIEST;
use crate::names::year_and_month;
use crate::records::{DeviceRecord, HomeRecords, StateRecord};
use crate::socket::{HomeSocket, ReadAnswer};
use crate::wire::MessageStream;
use crate::{HomeImportError, HomeToken, ReadRequest};

/// How long all reads together may take, however many messages come in between.
const LONGEST: Duration = Duration::from_mins(5);

/// Reads a home over the WebSocket API. Nothing in it is changed.
pub async fn read_live(url: &str, token: &HomeToken) -> Result<HomeRecords, HomeImportError> {
    read_over(HomeSocket::open(url, token).await?).await
}

/// Reads a home over a connection that is logged in.
pub(crate) async fn read_over<S: MessageStream>(
    mut socket: HomeSocket<S>,
) -> Result<HomeRecords, HomeImportError> {
    let version = socket.version().to_owned();
    if year_and_month(&version).is_some_and(|version| version < EARLIEST) {
        return Err(HomeImportError::TooOld { version });
    }
    let mut records = HomeRecords { version: Some(version), ..HomeRecords::default() };
    let reading = tokio::time::timeout(LONGEST, read_all(&mut socket, &mut records)).await;
    socket.close().await;
    let too_long =
        || HomeImportError::Lost { why: format!("it took longer than {} s", LONGEST.as_secs()) };
    reading.map_err(|_| too_long())?.map(|()| records)
}

async fn read_all<S: MessageStream>(
    socket: &mut HomeSocket<S>,
    records: &mut HomeRecords,
) -> Result<(), HomeImportError> {
    records.floors = socket.read(&ReadRequest::Floors).await?;
    records.areas = socket.read(&ReadRequest::Areas).await?;
    let devices: Vec<DeviceRecord> = socket.read(&ReadRequest::Devices).await?;
    records.devices = devices.into_iter().map(|device| (device.id.clone(), device)).collect();
    let exposed = socket.try_read::<Value>(&ReadRequest::Exposed).await?;
    records.states = socket.read(&ReadRequest::States).await?;
    let settings: Map<String, Value> = socket.read(&ReadRequest::Settings).await?;
    records.time_zone = settings.get("time_zone").and_then(Value::as_str).map(str::to_owned);
    read_entries(socket, records).await?;
    match exposed {
        ReadAnswer::Read(list) => records.expose(&list),
        ReadAnswer::NotAllowed => records.expose_by_registry(),
    }
    let mut services: Map<String, Value> = socket.read(&ReadRequest::Services).await?;
    if let Some(Value::Object(scripts)) = services.remove("script") {
        records.scripts = scripts;
    }
    read_lists(socket, records).await
}

/// Only this read tells aliases, and it wants to know which entities.
async fn read_entries<S: MessageStream>(
    socket: &mut HomeSocket<S>,
    records: &mut HomeRecords,
) -> Result<(), HomeImportError> {
    let registered: Vec<Map<String, Value>> = socket.read(&ReadRequest::Registry).await?;
    let id = |entry: &Map<String, Value>| Some(entry.get("entity_id")?.as_str()?.to_owned());
    let ids: Vec<String> = registered.iter().filter_map(id).collect();
    let entries: Map<String, Value> = socket.read(&ReadRequest::RegistryEntries(ids)).await?;
    let request = ReadRequest::RegistryEntries(vec![]).kind();
    for (id, entry) in entries.into_iter().filter(|(_, entry)| !entry.is_null()) {
        let entry = serde_json::from_value(entry)
            .map_err(|source| HomeImportError::Answer { request, source })?;
        records.entries.insert(id, entry);
    }
    Ok(())
}

async fn read_lists<S: MessageStream>(
    socket: &mut HomeSocket<S>,
    records: &mut HomeRecords,
) -> Result<(), HomeImportError> {
    let is_list = |state: &&StateRecord| {
        state.domain() == "todo" && records.exposed.contains(&state.entity_id)
    };
    let lists: Vec<String> =
        records.states.iter().filter(is_list).map(|state| state.entity_id.clone()).collect();
    for list in lists {
        match socket.read::<Value>(&ReadRequest::ListItems(list.clone())).await {
            Ok(mut answer) => {
                let items = answer.get_mut("items").map(Value::take);
                let items = items.and_then(|items| serde_json::from_value(items).ok());
                records.list_items.insert(list, items.unwrap_or_default());
            }
            // A list whose integration is away keeps its items to itself.
            Err(HomeImportError::Refused { why, .. }) => {
                records.unknown.push(format!("what is on the list `{list}`: {why}"));
            }
            Err(other) => return Err(other),
        }
    }
    Ok(())
}

impl HomeRecords {
    fn expose(&mut self, list: &Value) {
        let all = list.get("exposed_entities").and_then(Value::as_object);
        for (id, assistants) in all.into_iter().flatten() {
            if assistants.get("conversation").and_then(Value::as_bool) == Some(true) {
                self.exposed.insert(id.clone());
            }
        }
    }

    /// The registry says the same of everything that is registered.
    pub(crate) fn expose_by_registry(&mut self) {
        let exposed = self.entries.values().filter(|entry| entry.should_expose() == Some(true));
        self.exposed.extend(exposed.map(|entry| entry.entity_id.clone()));
        let unregistered: Vec<&str> = self
            .states
            .iter()
            .filter(|state| !self.entries.contains_key(&state.entity_id))
            .filter(|state| !matches!(state.domain(), "zone" | "person" | "conversation"))
            .map(|state| state.entity_id.as_str())
            .collect();
        if !unregistered.is_empty() {
            self.unknown.push(format!(
                "whether these are exposed, which only an administrator may ask: {} (taken as not \
                 exposed)",
                unregistered.join(", ")
            ));
        }
    }
}
