"""Runs Home Assistant with one home, its HTTP and WebSocket interfaces on loopback.

live.py HOME.json CONFIG PORT

prints one line of JSON once everything is there: address, tokens, and the prompts and tools that it
sends a model at each satellite. Each line on its input is answered: `agent URL` adds an agent that
asks the model at this OpenAI-compatible address, and tells its name; any other line tells what has
happened since: events, and whether any state is another. Ends when its input ends.
"""

import asyncio
import json
import sys
from datetime import timedelta
from pathlib import Path

import driver
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_USER
from homeassistant.auth.models import TOKEN_TYPE_LONG_LIVED_ACCESS_TOKEN
from homeassistant.const import MATCH_ALL, __version__
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry, entity_registry
from homeassistant.setup import async_setup_component

INTERFACES = ("websocket_api", "api", "auth", "config", "todo", "scene", "assist_pipeline")

# The toggle by which toolgauge knows a test instance.
MARK = {"input_boolean": {"toolgauge_test_instance": {"name": "Toolgauge test instance", "initial": True}}}


async def token(hass: HomeAssistant, name: str, group: str) -> str:
    user = await hass.auth.async_create_user(name, group_ids=[group])
    refresh = await hass.auth.async_create_refresh_token(
        user, client_name="toolgauge", token_type=TOKEN_TYPE_LONG_LIVED_ACCESS_TOKEN,
        access_token_expiration=timedelta(days=1))
    return hass.auth.async_create_access_token(refresh)


def register(hass: HomeAssistant, home: dict, satellites: dict[str, str | None]) -> None:
    """Devices that entities hang on, names people chose, and an entity for each satellite."""
    entities, devices = entity_registry.async_get(hass), device_registry.async_get(hass)
    entry = next(iter(hass.config_entries._entries.values()))
    made = {}
    for number, described in enumerate(home.get("devices", [])):
        device = devices.async_get_or_create(
            config_entry_id=entry.entry_id, identifiers={("bench", f"device-{number}")}, name=described["name"])
        area = hass.data["bench_areas"].get(described.get("area"))
        made[number] = devices.async_update_device(
            device.id, area_id=area, name_by_user=described.get("name_by_user")).id
    for described in home["entities"]:
        changes = dict(described.get("registry", {}))
        if "device" in described:
            changes["device_id"] = made[described["device"]]
        if "aliases" in changes:
            changes["aliases"] = [driver.COMPUTED_NAME if a is None else a for a in changes["aliases"]]
        if changes and entities.async_get(described["id"]):
            entities.async_update_entity(described["id"], **changes)
    for name, device in satellites.items():
        if device is None:
            continue
        found = entities.async_get_or_create(
            "assist_satellite", "bench", f"satellite-{name}", device_id=device,
            original_name="Assist satellite", has_entity_name=True)
        hass.states.async_set(found.entity_id, "idle", {"friendly_name": f"Satellite {name} Assist satellite"})


async def add_agent(hass: HomeAssistant, url: str) -> str:
    """What a person does in the interface: the address, then the model."""
    flows = hass.config_entries.flow
    step = await flows.async_init("llama_cpp", context={"source": "user"}, data={"base_url": url})
    if step["type"] == "form":
        chosen = next(iter(step["data_schema"].schema.values())).config["options"][0]
        step = await flows.async_configure(step["flow_id"], {"chat_model": chosen})
    await hass.async_block_till_done()
    agents = [s.entity_id for s in hass.states.async_all("conversation") if s.entity_id != "conversation.home_assistant"]
    if not agents:
        raise SystemExit(f"the agent could not be added: {step}")
    return agents[-1]


def states(hass: HomeAssistant) -> dict:
    return {state.entity_id: state.as_dict() for state in hass.states.async_all()}


async def main() -> None:
    home, folder, port = json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2]), int(sys.argv[3])
    driver.write_component(folder, home)
    hass = await driver.start(home, folder, {"http": {"http": {"server_host": ["127.0.0.1"], "server_port": port}}})
    await async_setup_component(hass, "input_boolean", MARK)
    for name in INTERFACES:
        await async_setup_component(hass, name, {})
    driver.arrange(hass, home)
    satellites = driver.satellites(hass, home)
    register(hass, home, satellites)
    await hass.async_block_till_done()
    logs = {name: await driver.conversation(hass, device) for name, device in satellites.items()}
    tools = lambda log: [driver.format_tool(tool, log.llm_api.custom_serializer) for tool in log.llm_api.tools]
    offers = {name: {"prompt": log.content[0].content, "tools": tools(log)} for name, log in logs.items()}
    await hass.http.start()
    told = {"url": f"http://127.0.0.1:{port}", "version": __version__, "offers": offers,
            "token": await token(hass, "owner", GROUP_ID_ADMIN),
            "user_token": await token(hass, "somebody", GROUP_ID_USER)}
    await hass.async_block_till_done()
    before, events = states(hass), []
    hass.bus.async_listen(MATCH_ALL, lambda event: events.append(event.event_type))
    print(json.dumps(told), flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        if line.startswith("agent "):
            print(json.dumps({"agent": await add_agent(hass, line.split()[1])}), flush=True)
            continue
        await hass.async_block_till_done()
        print(json.dumps({"events": events, "changed": states(hass) != before}), flush=True)
    await hass.async_stop(force=True)


asyncio.run(main())
