"""Runs Home Assistant with one home: exports what a model is told, and makes calls.

driver.py HOME.json OUT.json [CALLS.json]
"""

import asyncio
import datetime
import json
import logging
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
logging.basicConfig(level=logging.CRITICAL)

import homeassistant.util.dt as dt_util  # noqa: E402

CLOCK = datetime.datetime.fromisoformat("2026-11-15T02:59:57+01:00")


class StillClock:
    """A clock that stands still once a home is set up, but for a microsecond at each look."""

    def __init__(self):
        self.stands, self.looks, self.running = False, 0, dt_util.utcnow
        dt_util.utcnow, dt_util.now = self.utcnow, self.now

    def utcnow(self):
        if not self.stands:
            return self.running()
        self.looks += 1
        return CLOCK.astimezone(datetime.UTC) + datetime.timedelta(microseconds=self.looks % 900_000)

    def now(self, zone=None):
        return self.utcnow().astimezone(zone or dt_util.DEFAULT_TIME_ZONE)


# The clock must be in place before other modules take a copy of its functions.
CLOCK_FACE = StillClock()

from homeassistant import auth, config_entries, loader  # noqa: E402
from homeassistant.components.conversation.chat_log import AssistantContent, ChatLog  # noqa: E402
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity  # noqa: E402
from homeassistant.components.intent import async_register_timer_handler  # noqa: E402
from homeassistant.components.intent.const import TIMER_DATA  # noqa: E402
from homeassistant.core import Context, CoreState, HomeAssistant  # noqa: E402
from homeassistant.helpers import (  # noqa: E402
    area_registry, category_registry, condition, device_registry, entity, entity_registry,
    floor_registry, frame, intent, issue_registry, label_registry, llm, restore_state, template,
    translation, trigger,
)
from homeassistant.helpers.json import json_dumps  # noqa: E402
from homeassistant.setup import async_setup_component  # noqa: E402

try:
    from homeassistant.helpers.entity_registry import COMPUTED_NAME
except ImportError:  # before 2026.4 aliases were a set beside the name
    COMPUTED_NAME = None
try:
    from homeassistant.components.llama_cpp.entity import _format_tool as format_tool
except ImportError:  # before 2026.8
    from voluptuous_openapi import convert

    def format_tool(tool, serializer):
        function = {"name": tool.name, "parameters": convert(tool.parameters, custom_serializer=serializer)}
        if tool.description:
            function["description"] = tool.description
        return {"type": "function", "function": function}


def write_component(folder: Path, home: dict) -> None:
    """An integration whose platforms hand over to `devices`."""
    bench = folder / "custom_components/bench"
    bench.mkdir(parents=True)
    manifest = {"domain": "bench", "name": "Bench", "version": "1", "requirements": [], "dependencies": [],
                "codeowners": [], "documentation": "", "iot_class": "local_push"}
    (bench / "manifest.json").write_text(json.dumps(manifest))
    domains = sorted({e["id"].split(".")[0] for e in home["entities"] if "scene" not in e} - {"script"})
    (bench / "__init__.py").write_text(
        "from homeassistant.helpers.discovery import async_load_platform\n"
        "async def async_setup(hass, config):\n"
        f"    for domain in {domains!r}:\n"
        "        hass.async_create_task(async_load_platform(hass, domain, 'bench', {}, config))\n"
        "    return True\n"
    )
    for domain in domains:
        (bench / f"{domain}.py").write_text(
            "import devices\n"
            "async def async_setup_platform(hass, config, add, discovered=None):\n"
            f"    found = [e for e in hass.data['bench_home']['entities'] if e['id'].startswith('{domain}.') and 'scene' not in e]\n"
            f"    add([devices.build('{domain}', e) for e in found])\n"
        )


async def start(home: dict, folder: Path, more: dict | None = None) -> HomeAssistant:
    hass = HomeAssistant(str(folder))
    hass.config.skip_pip = True
    hass.config.location_name = "Home"
    hass.config.language = home.get("language", "en")
    await hass.config.async_set_time_zone("Europe/Rome")
    hass.data["bench_home"] = home
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    for part in (entity, frame, template, translation, device_registry):
        if hasattr(part, "async_setup"):
            part.async_setup(hass)
    try:
        from homeassistant.helpers.storage import get_internal_store_manager

        await get_internal_store_manager(hass).async_initialize()
    except ImportError:
        pass
    for part in (area_registry, category_registry, device_registry, entity_registry, floor_registry,
                 issue_registry, label_registry, restore_state):
        await part.async_load(hass)
    await hass.config_entries.async_initialize()
    await condition.async_setup(hass)
    await trigger.async_setup(hass)
    hass.auth = await auth.auth_manager_from_config(hass, [], [])
    scenes = [{"name": e["name"], "id": e["id"], "entities": e["scene"]} for e in home["entities"] if "scene" in e]
    settings = {"script": {"script": home["scripts"]}, "bench": {"bench": None}, "scene": {"scene": scenes}, **(more or {})}
    for name in ("homeassistant", "http", "llm", "intent", "conversation", "script", "scene", "bench",
                 "assist_satellite", "timer"):
        await async_setup_component(hass, name, settings.get(name, {}))
    await hass.async_block_till_done()
    hass.set_state(CoreState.running)
    return hass


def arrange(hass: HomeAssistant, home: dict) -> None:
    """Floors, areas, aliases and what is exposed."""
    floors, areas = {}, {}
    for floor in home["floors"]:
        made = floor_registry.async_get(hass).async_create(floor["name"], aliases=set(floor["aliases"]))
        floors[floor["name"]] = made.floor_id
    registry = area_registry.async_get(hass)
    for area in home["areas"]:
        areas[area["name"]] = registry.async_create(area["name"], aliases=set(area["aliases"])).id
        if area.get("floor"):
            registry.async_update(areas[area["name"]], floor_id=floors[area["floor"]])
    for state in hass.states.async_all():
        async_expose_entity(hass, "conversation", state.entity_id, False)
    for described in home["entities"]:
        changes = {}
        if described.get("area"):
            changes["area_id"] = areas[described["area"]]
        if described.get("aliases"):
            own = [COMPUTED_NAME] if COMPUTED_NAME else []
            changes["aliases"] = own + described["aliases"] if own else set(described["aliases"])
        if changes:
            entity_registry.async_get(hass).async_update_entity(described["id"], **changes)
        async_expose_entity(hass, "conversation", described["id"], described.get("exposed", True))
    hass.data["bench_areas"] = areas


def satellites(hass: HomeAssistant, home: dict) -> dict[str, str | None]:
    """The device behind each satellite."""
    from types import MappingProxyType

    entry = config_entries.ConfigEntry(
        version=1, minor_version=1, domain="bench", title="Bench", data={}, options={}, source="user",
        unique_id="bench", discovery_keys=MappingProxyType({}), subentries_data=None)
    hass.config_entries._entries[entry.entry_id] = entry
    registry, found = device_registry.async_get(hass), {}
    for name, described in home["satellites"].items():
        found[name] = None
        if described is None:
            continue
        device = registry.async_get_or_create(
            config_entry_id=entry.entry_id, identifiers={("bench", name)}, name=f"Satellite {name}")
        found[name] = device.id
        if described.get("area"):
            registry.async_update_device(device.id, area_id=hass.data["bench_areas"][described["area"]])
        if described.get("supports_timers"):
            async_register_timer_handler(hass, device.id, lambda *_: None)
    return found


async def conversation(hass: HomeAssistant, device: str | None) -> ChatLog:
    log = ChatLog(hass, "bench")
    context = llm.LLMContext(platform="llama_cpp", context=Context(), language=hass.config.language,
                             assistant="conversation", device_id=device)
    await log.async_provide_llm_data(context, "assist", None, None)
    return log


def export(hass: HomeAssistant, home: dict) -> dict:
    """The home as toolgauge reads it, in the order of this very state machine."""
    by_id = {described["id"]: described for described in home["entities"]}
    floors = floor_registry.async_get(hass).async_list_floors()
    areas = area_registry.async_get(hass).async_list_areas()
    entities = []
    for state in hass.states.async_all():
        described = by_id.get(state.entity_id)
        if described is None:
            continue
        entry = entity_registry.async_get(hass).async_get(state.entity_id)
        settings, more = described.get("settings", {}), {}
        if state.domain == "todo":
            more["items"] = settings.get("items", [])
        if state.domain == "calendar":
            more["events"] = settings.get("events", [])
        if state.domain == "script":
            script = home["scripts"][state.entity_id.split(".")[1]]
            more = {key: script[key] for key in ("description", "fields") if key in script}
            more["sequence"] = home.get("played", {}).get(state.entity_id, [])
        if "scene" in described:
            more["entities"] = described["scene"]
        if not described.get("exposed", True):
            more["exposed"] = False
        entities.append({
            "entity_id": state.entity_id, "name": state.name, "aliases": described.get("aliases", []),
            "area_id": entry.area_id if entry else None, "state": state.state,
            "attributes": json.loads(json_dumps(dict(state.attributes))), **more,
        })
    return {
        "floors": [{"name": f.name, "id": f.floor_id, "aliases": sorted(f.aliases)} for f in floors],
        "areas": [{"name": a.name, "id": a.id, "floor_id": a.floor_id, "aliases": sorted(a.aliases)} for a in areas],
        "satellites": home["satellites"], "clock": CLOCK.isoformat(), "timezone": "CET", "entities": entities,
    }


async def load_scenes(hass: HomeAssistant, home: dict) -> None:
    """Loads what brings things into states. Home Assistant does so when it is first needed, on another
    thread, and what else happens in between would be left to chance."""
    for domain in {described["id"].split(".")[0] for described in home["entities"]}:
        try:
            await (await loader.async_get_integration(hass, domain)).async_get_platform("reproduce_state")
        except ImportError:
            pass


async def reset(hass: HomeAssistant) -> None:
    import devices

    for device in devices.ENTITIES.values():
        device.reset()
    timers = hass.data[TIMER_DATA]
    for timer in list(timers.timers):
        timers.cancel_timer(timer)
    for handler in intent.async_get(hass):
        if hasattr(handler, "last_paused"):
            handler.last_paused.clear()
    await hass.async_block_till_done()


def snapshot(hass: HomeAssistant) -> dict:
    known = {described["id"] for described in hass.data["bench_home"]["entities"]}
    return {s.entity_id: {"state": s.state, **s.attributes} for s in hass.states.async_all() if s.entity_id in known}


def changes(before: dict, after: dict) -> dict:
    found = {}
    for id, then in before.items():
        now = after[id]
        names = [*then, *(name for name in now if name not in then)]
        changed = {n: [then.get(n), now.get(n)] for n in names if then.get(n) != now.get(n)}
        if changed:
            found[id] = changed
    return json.loads(json_dumps(found))


async def make_calls(hass: HomeAssistant, log: ChatLog, calls: list[dict]) -> list[dict]:
    """Makes calls that a model sends in one message. What they change is told of the last."""
    before, made = snapshot(hass), {f"call{at}": dict(call) for at, call in enumerate(calls)}
    content = AssistantContent(agent_id="bench", tool_calls=[
        llm.ToolInput(tool_name=call["tool"], tool_args=json.loads(json.dumps(call["args"])), id=id)
        for id, call in made.items()])
    try:
        async with asyncio.timeout(20):
            async for answer in log.async_add_assistant_content(content):
                result = getattr(answer, "result", None)
                body = {"data": result.data, "error": result.error} if result else answer.tool_result
                made[answer.tool_call_id]["answer"] = json.loads(json_dumps(body))
    except Exception as error:  # noqa: BLE001: whatever is not caught ends the turn
        for call in made.values():
            if "answer" not in call:
                call["ends_turn"] = f"{type(error).__name__}: {error}"
    await hass.async_block_till_done()
    *_, last = made.values()
    last["changes"] = changes(before, snapshot(hass))
    del log.content[1:]
    return [*made.values()]


def messages(calls: list[dict]) -> list[list[dict]]:
    """Calls by the message they are in."""
    found = []
    for call in calls:
        if call.get("at_once"):
            found[-1].append(call)
        else:
            found.append([call])
    return found


def offer_older_tools(hass: HomeAssistant, log: ChatLog, names: list[str]) -> None:
    """Intents that Home Assistant has but does not offer to models."""
    offered = {handler.intent_type: handler for handler in intent.async_get(hass)}
    log.llm_api.tools[:] = [llm.IntentTool(name, offered[name]) for name in names if name in offered]


async def main() -> None:
    home = json.loads(Path(sys.argv[1]).read_text())
    folder = Path(tempfile.mkdtemp(prefix="bench"))
    write_component(folder, home)
    hass = await start(home, folder)
    arrange(hass, home)
    devices = satellites(hass, home)
    await load_scenes(hass, home)
    await hass.async_block_till_done()
    CLOCK_FACE.stands = True
    logs = {name: await conversation(hass, device) for name, device in devices.items()}
    for log in logs.values() if "classic" in home else []:
        offer_older_tools(hass, log, home["classic"])
    tools = lambda log: [format_tool(tool, log.llm_api.custom_serializer) for tool in log.llm_api.tools]
    out = {
        "inventory": export(hass, home),
        "offer": {
            "prompts": {name: log.content[0].content for name, log in logs.items()},
            "tools": {name: tools(log) for name, log in logs.items()},
        },
        "calls": [],
    }
    context = Context()
    for calls in messages(json.loads(Path(sys.argv[3]).read_text())) if len(sys.argv) > 3 else []:
        if not calls[0].get("continues_previous_state"):
            await reset(hass)
            context = Context()
        log = logs[calls[0]["satellite"]]
        log.llm_api.llm_context.context = context
        out["calls"] += await make_calls(hass, log, calls)
    Path(sys.argv[2]).write_text(json.dumps(out, ensure_ascii=False))
    await hass.async_stop(force=True)


if __name__ == "__main__":
    asyncio.run(main())
