"""Homes made by chance: names that need quoting, odd devices, several satellites."""

import random

WORDS = (
    "Lamp Ceiling Spot Desk Corner Reading floor TV Speaker Fan Heater Blind Door window Kitchen "
    "Bath hall Sofa Éclair Ölofen naïve 照明 Лампа garden Gate Switch plug main left Upper"
).split()

# Names that YAML, Python or JSON write in a way of their own.
ODD_NAMES = [
    "yes", "No", "null", "~", "1.5", "12:30", "0x1F", "1e3", "2026-01-01", "on", "- dash", "* star",
    "! bang", "@ at", "# hash", "a # b", "a: b", "key:", "'quoted'", '"double"', "Anna's lamp",
    "[list]", "{map}", "a, b", "? q", "| pipe", "=", "<<", ".5", "1_000", "012", "back\\slash",
    "tab\there", "emoji 💡 lamp", "ZWJ 👨‍👩‍👧", "RTL שלום", "NEL\u0085x", "nbsp\u00a0x", "ls\u2028x",
    "ps\u2029x", "BOM\ufeffx", "cafe\u0301", "ß", "ﬁ ligature", "---", "...", "a  b", "soft\u00adx",
    "very " + "long " * 20 + "name", "wide\u3000x", "it's \"both\"", "x'", "100%", "-1",
]

DOMAINS = (
    "light switch lock cover fan climate media_player vacuum humidifier todo lawn_mower valve "
    "sensor binary_sensor button scene weather calendar siren water_heater remote"
).split()

SELECTORS = [
    {"text": {}}, {"number": {"min": 0, "max": 60}}, {"boolean": {}}, {"area": {}},
    {"area": {"multiple": True}}, {"floor": {}}, {"select": {"options": ["a", "b"]}},
    {"select": {"options": [{"label": "A", "value": "a"}], "multiple": True}}, {"time": {}},
    {"duration": {}}, {"target": {}}, {"media": {}}, {"object": {}}, {"color_rgb": {}},
    {"color_temp": {"unit": "kelvin", "min": 2000, "max": 6500}}, {"constant": {"value": True}},
    {"entity": {"multiple": True}}, {"location": {}}, {"condition": {}}, {"trigger": {}},
    {"backup_location": {}}, {"template": {}}, {"language": {}}, {"icon": {}},
]


def make(seed: int) -> dict:
    """A home. Every tenth has nothing exposed, every tenth nothing but calendars."""
    return Maker(seed).home()


class Maker:
    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.seed = seed
        self.taken: set[str] = set()

    def word(self) -> str:
        choose = self.random.choice
        if self.random.random() < 0.35:
            return choose(ODD_NAMES).strip()
        return " ".join(choose(WORDS) for _ in range(choose([1, 2, 2, 3])))

    def place_name(self) -> str:
        """Home Assistant makes ids of the names of places and refuses the same one twice."""
        while True:
            name = self.word()
            key = "".join(name.casefold().split())
            if key not in self.taken and any(c.isascii() and c.isalnum() for c in name):
                self.taken.add(key)
                return name

    def home(self) -> dict:
        pick = self.random
        floors = [{"name": self.place_name(), "aliases": self.aliases()} for _ in range(pick.randint(0, 3))]
        areas = []
        for _ in range(pick.randint(1, 6)):
            area = {"name": self.place_name(), "aliases": self.aliases()}
            if floors and pick.random() < 0.7:
                area["floor"] = pick.choice(floors)["name"]
            areas.append(area)
        entities = self.entities(areas)
        scripts = {} if self.seed % 10 == 0 else self.scripts()
        entities += [{"id": f"script.{id}", "name": script["alias"]} for id, script in scripts.items()]
        room = lambda: pick.choice(areas)["name"]
        satellites = {
            "none": None,
            "timers": {"area": room(), "supports_timers": True},
            "plain": {"area": room(), "supports_timers": False},
            "nowhere": {"area": None, "supports_timers": True},
        }
        return {"floors": floors, "areas": areas, "satellites": satellites, "scripts": scripts,
                "entities": entities}

    def aliases(self) -> list[str]:
        return [self.place_name() for _ in range(self.random.choice([0, 0, 1, 2]))]

    def entities(self, areas: list[dict]) -> list[dict]:
        pick, found, counts = self.random, [], {}
        domains = pick.sample(DOMAINS, pick.randint(3, len(DOMAINS)))
        for _ in range(pick.randint(8, 40)):
            domain = pick.choice(domains)
            counts[domain] = counts.get(domain, 0) + 1
            again = found and pick.random() < 0.15
            entity = {
                "id": f"{domain}.x{counts[domain]}",
                "name": pick.choice(found)["name"] if again else self.word(),
                "area": pick.choice(areas)["name"] if pick.random() < 0.7 else None,
                "aliases": list(dict.fromkeys(self.word() for _ in range(pick.choice([0, 0, 0, 1, 2])))),
                "exposed": pick.random() > 0.15 and self.seed % 10 != 0,
                "available": pick.random() > 0.07,
                "settings": self.settings(domain),
            }
            if self.seed % 10 == 1:
                entity["exposed"] = domain == "calendar"
            found.append(entity)
        return found

    def settings(self, domain: str) -> dict:
        """What a device can do and how it is. No light that is off remembers anything, and no
        player starts off, since no inventory could tell what it remembers."""
        pick = self.random
        if domain == "light":
            modes = pick.choice([["hs", "color_temp"], ["rgbw"], ["rgbww"], ["rgb"], ["xy"],
                                 ["color_temp"], ["brightness"], ["onoff"]])
            on = pick.random() < 0.5
            return {"modes": modes, "on": on, "brightness": pick.randint(1, 255) if on else None}
        if domain == "media_player":
            full = 4212669
            return {"state": pick.choice(["playing", "idle", "paused"]), "volume": 0.4,
                    "title": self.word(), "artist": self.word(),
                    "features": pick.choice([full, full, full & ~4194304, full & ~16384, 1 | 4])}
        if domain == "cover":
            position = pick.choice([0, 50, 100, None])
            return {"position": position, "closed": position == 0 or pick.random() < 0.5,
                    "features": pick.choice([15, 15, 3, 11]),
                    "device_class": pick.choice(["blind", "garage", "curtain", None])}
        if domain == "fan":
            return {"percentage": pick.choice([0, 33, 100]), "features": pick.choice([49, 49, 48, 1])}
        if domain == "climate":
            return {"modes": pick.choice([["off", "heat"], ["off", "cool", "heat_cool"], ["heat"]]),
                    "features": pick.choice([385, 385, 384, 1])}
        if domain == "humidifier":
            return {"on": pick.random() < 0.5, "features": pick.choice([1, 1, 0])}
        if domain == "sensor":
            return pick.choice([
                {"value": pick.choice([2.345, -3, 0.30000000000000004, 12345.678]), "unit": "°C",
                 "device_class": "temperature"},
                {"value": pick.choice(["idle", "12:30", "on"])},
                {"value": pick.randint(0, 99), "unit": "\u00b5g/m³", "device_class": "pm25"},
                {"value": pick.random() * 100, "unit": "kW", "device_class": "power"},
            ])
        if domain == "todo":
            return {"items": ["Milk", "eggs"][: pick.randint(0, 2)]}
        if domain == "calendar":
            return {"events": [{"start": "2026-11-15", "end": "2026-11-16", "summary": self.word()}]}
        return {"on": pick.random() < 0.5}

    def scripts(self) -> dict:
        pick, scripts = self.random, {}
        for number in range(pick.randint(0, 3)):
            fields = {}
            for at in range(pick.randint(0, 5)):
                field = {"selector": pick.choice(SELECTORS), "required": pick.random() < 0.4}
                if pick.random() < 0.6:
                    field["description"] = self.word()
                if pick.random() < 0.5:
                    field["name"] = self.word()
                fields[f"f{at}"] = field
            script = {"alias": f"{self.word()} {number}", "sequence": [], "fields": fields}
            if pick.random() < 0.7:
                script["description"] = self.word()
            scripts[f"s{number}"] = script
        return scripts
