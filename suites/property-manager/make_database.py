#!/usr/bin/env python3
"""Writes the business of `property-manager`: database.sql and the two documents made from it.

Everything is invented. The script is seeded and uses nothing but the standard library, so that
running it again writes the same bytes:

    python3 make_database.py            # write the files beside this script
    python3 make_database.py --check    # only compare them with what would be written

The business is audited as well (see make/audit.py): balances add up, rents follow
leases, late fees follow late payments, and every row another one names exists.
"""

import sqlite3
import sys
from datetime import date, timedelta
from pathlib import Path
from random import Random

sys.dont_write_bytecode = True  # the folder holds the suite and nothing else

from make.audit import audit  # noqa: E402
from make.facts import (  # noqa: E402
    BIRCH_PRICE, BIRCH_SOLD, CLEANING, COMMERCIAL, DISTRIBUTIONS, DOCUMENTS, FIRST, GAS, LATENESS,
    LINDEN_BOUGHT, LOANS, MEMBERS, MOWING, NAMES, ORIGINATED, POLICIES, POWER, PROPERTIES, REPAIRS,
    SNOW, TENANCIES, TODAY, TRASH, UNITS, UNPAID, VENDORS, WATER,
)

HERE = Path(__file__).resolve().parent
SCHEMA = (HERE / "make/schema.sql").read_text()
CHANCE = Random(20260331)


def between(low, high):
    """A whole number from low to high, both included."""
    return low + int(CHANCE.random() * (high - low + 1))


def pick(items):
    return items[int(CHANCE.random() * len(items))]


def quarters(amount):
    """Rounded to 25 cents, which sums of floats hold exactly."""
    return round(amount * 4) / 4


def day(text):
    return date.fromisoformat(text)


def plus_months(start, months):
    month = start.month - 1 + months
    return date(start.year + month // 12, month % 12 + 1, start.day)


def months_between(first, last):
    """The first days of the months from first to last."""
    month = first.replace(day=1) if first.day == 1 else plus_months(first.replace(day=1), 1)
    while month <= last:
        yield month
        month = plus_months(month, 1)


class Business:
    """The rows of every table, as dictionaries; a row names another one by holding it."""

    def __init__(self):
        self.rows = {name: [] for name in tables()}
        self.property, self.vendor = {}, {}
        self.account = {}
        self.names = list(NAMES)

    def add(self, table, **row):
        self.rows[table].append(row)
        return row

    def pay(self, when, category, amount, description, account="Operating", **links):
        return self.add("transactions", transaction_date=when, account=self.account[account], category=category,
                        amount=amount, property=links.get("property"), lease=links.get("lease"),
                        vendor=self.vendor.get(links.get("vendor")), member=links.get("member"),
                        description=description)

    def spend(self, when, category, amount, description, vendor, place=None):
        return self.pay(when, category, -amount, description, vendor=vendor, property=self.property.get(place))

    def owned(self, place, when):
        if place == "Linden Triplex":
            return when >= LINDEN_BOUGHT
        return place != "Birch Cottage" or when <= BIRCH_SOLD

    def build(self):
        self.fixtures()
        self.tenancies()
        self.rents()
        self.running_costs()
        self.yearly_costs()
        self.repairs()
        self.loans()
        self.one_time_events()
        self.company_costs()
        self.obligations()
        self.number()

    def fixtures(self):
        for name, role, percent, since in MEMBERS:
            self.add("members", full_name=name, role=role, ownership_percent=percent, admitted_on=since)
        for name, street, kind, built, feet, parcel, bought, price, assessed, _ in PROPERTIES:
            sold = name == "Birch Cottage"
            self.property[name] = self.add(
                "properties", name=name, street_address=street, city="Fenwick", state="OH", zip="43908",
                property_type=kind, year_built=built, square_feet=feet, parcel_number=parcel,
                purchased_on=bought, purchase_price=price, assessed_value=assessed,
                sold_on=BIRCH_SOLD if sold else None, sale_price=BIRCH_PRICE if sold else None)
        for name, trade, kind, reported in VENDORS:
            self.vendor[name] = self.add("vendors", name=name, trade=trade, entity_type=kind,
                                         receives_1099=reported)
        for name, bank, opening in [("Operating", "Fenwick Community Bank", 128250),
                                    ("Security deposits", "Fenwick Community Bank", 0),
                                    ("Reserve", "Tri-County Savings Bank", 48000)]:
            self.account[name] = self.add("accounts", name=name, bank=bank, opening_balance=opening,
                                          current_balance=0)
        for path, title, kind, when, place, status in DOCUMENTS:
            self.add("documents", path=path, title=title, kind=kind, document_date=when,
                     property=self.property.get(place), status=status)
        for number, insurer, coverage, place, limit, deductible, premium, start, end in POLICIES:
            self.add("insurance_policies", policy_number=number, insurer=insurer, coverage=coverage,
                     property=self.property.get(place),
                     coverage_limit=limit, deductible=deductible, annual_premium=premium, effective_on=start,
                     expires_on=end)

    def tenancies(self):
        for place, units in UNITS.items():
            for number, bedrooms, bathrooms, feet, rent in units:
                unit = self.add("units", property=self.property[place], unit_number=number, bedrooms=bedrooms,
                                bathrooms=bathrooms, square_feet=feet)
                for tenancy in TENANCIES.get((place, number)) or self.drawn_tenancies(rent):
                    self.tenancy(unit, tenancy)

    def drawn_tenancies(self, rent):
        """Twelve-month leases one after another; about one in four is not renewed."""
        start = plus_months(FIRST, -between(0, 11))
        moved_in = plus_months(start, -12 * between(0, 3))
        deposit = rent - 5 * between(0, 8) if moved_in < start else rent
        tenant, leases, tenancies = self.new_name(), [], []
        while start <= plus_months(TODAY.replace(day=1), 1):
            end = plus_months(start, 12) - timedelta(days=1)
            leases.append((start.isoformat(), end.isoformat(), rent, None))
            rent += 5 * round(rent * between(20, 45) / 5000)
            start = end + timedelta(days=1)
            if CHANCE.random() < 0.26 and end <= TODAY:
                pets = pick([None, None, None, "one cat", "one dog"])
                tenancies.append((tenant, moved_in.isoformat(), deposit, pets, leases))
                start = plus_months(start, between(1, 2))
                tenant, leases, moved_in, deposit = self.new_name(), [], start, rent
        if leases:
            tenancies.append((tenant, moved_in.isoformat(), deposit, pick([None, None, None, "one cat"]),
                              leases))
        return tenancies

    def new_name(self):
        return self.names.pop(between(0, len(self.names) - 1))

    def tenancy(self, unit, tenancy):
        name, moved_in, deposit, pets, leases = tenancy
        left = day(leases[-1][3] or leases[-1][1])
        mail = name.lower().replace(",", "").replace(".", "").split()
        tenant = self.add("tenants", full_name=name, email=f"{mail[0]}.{mail[-1]}@example.com",
                          phone=f"(740) 555-{100 + len(self.rows['tenants']):04}", moved_in_on=moved_in,
                          moved_out_on=left if left < TODAY else None)
        for start, end, rent, terminated in leases:
            status = ("terminated early" if terminated else "upcoming" if day(start) > TODAY
                      else "active" if day(end) >= TODAY else "ended")
            commercial = name in COMMERCIAL
            row = self.add("leases", unit=unit, tenant=tenant, start_date=start, end_date=end,
                           monthly_rent=rent,
                           security_deposit=deposit, grace_days=10 if commercial else 5,
                           late_fee=125 if commercial else 50,
                           pets=pets, status=status, terminated_on=terminated)
            if start == leases[0][0]:
                self.deposit_in(unit, row, day(moved_in))
        if left < TODAY:
            self.deposit_out(unit, row, left)

    def deposit_in(self, unit, lease, moved_in):
        place, amount = unit["property"], lease["security_deposit"]
        name = lease["tenant"]["full_name"]
        if place["name"] == "Linden Triplex":
            self.pay(LINDEN_BOUGHT, "security deposit received", amount,
                     f"Deposit handed over by seller, {name}",
                     "Security deposits", property=place, lease=lease)
        elif moved_in < FIRST:
            self.account["Security deposits"]["opening_balance"] += amount
        else:
            self.pay(moved_in, "security deposit received", amount, f"Security deposit, {name}",
                     "Security deposits", property=place, lease=lease)
        if lease["pets"] and moved_in >= FIRST and name not in COMMERCIAL:
            self.pay(moved_in, "pet fee", 300, f"Pet fee, {name}", property=place, lease=lease)

    def deposit_out(self, unit, lease, left):
        place, amount, name = unit["property"], lease["security_deposit"], lease["tenant"]["full_name"]
        kept = amount if lease["status"] == "terminated early" else 0
        if not kept and CHANCE.random() < 0.3 and name not in ("Harriet Blum", "Sara Lindquist"):
            kept = 25 * between(3, 14)
        when = min(left + timedelta(days=between(12, 27)), TODAY)
        if kept:
            self.pay(when, "security deposit withheld", -kept, f"Deposit withheld, {name}", "Security deposits",
                     property=place, lease=lease)
            self.pay(when, "security deposit withheld", kept, f"Deposit withheld, {name}", property=place,
                     lease=lease)
        if amount > kept:
            self.pay(when, "security deposit returned", kept - amount, f"Deposit returned, {name}",
                     "Security deposits", property=place, lease=lease)

    def rents(self):
        for lease in self.rows["leases"]:
            start = max(day(lease["start_date"]), FIRST)
            if lease["unit"]["property"]["name"] == "Linden Triplex":
                start = max(start, LINDEN_BOUGHT)
            last = min(day(lease["terminated_on"] or lease["end_date"]), TODAY)
            usual = LATENESS.setdefault(lease["tenant"]["full_name"], pick([0.02, 0.03, 0.05, 0.1, 0.2]))
            for due in months_between(start, last):
                self.rent(lease, due, CHANCE.random() < usual)

    def rent(self, lease, due, late):
        name, place = lease["tenant"]["full_name"], lease["unit"]["property"]
        unpaid = UNPAID.get((name, due.isoformat()))
        late = late or unpaid
        paid_on = due + timedelta(days=lease["grace_days"] + between(1,
                                                                     14) if late else pick([0, 0, 0, 0, 1, 1, 2,
                                                                                            2, 3, 4]))
        self.charge(lease, place, "rent", due, lease["monthly_rent"], paid_on, unpaid)
        if late:
            fee_due = due + timedelta(days=lease["grace_days"])
            waived = not unpaid and CHANCE.random() < 0.1
            self.charge(lease, place, "late fee", fee_due, lease["late_fee"], paid_on,
                        unpaid or ("waived" if waived else None))

    def charge(self, lease, place, kind, due, amount, paid_on, other):
        name, unit = lease["tenant"]["full_name"], lease["unit"]["unit_number"]
        what = f"Rent {due:%Y-%m}" if kind == "rent" else f"Late fee {due:%Y-%m}"
        payment = None if other else self.pay(paid_on, kind, amount, f"{what}, {place['name']} {unit}, {name}",
                                              property=place, lease=lease)
        self.add("charges", lease=lease, kind=kind, due_date=due, amount=amount, status=other or "paid",
                 paid_on=None if other else paid_on, transaction=payment)

    def running_costs(self):
        for month in months_between(FIRST, TODAY):
            warm = month.month in (4, 5, 6, 7, 8, 9, 10)
            winter = (1.7, 1.5, 1.2, 0.7, 0.3, 0.15, 0.1, 0.1, 0.2, 0.6, 1.1, 1.5)[month.month - 1]
            for place in UNITS:
                def bill(costs, on, category, what, vendor, factor=1.0):
                    when = month.replace(day=on)
                    if place in costs and self.owned(place, when):
                        self.spend(when, category, quarters(costs[place] * factor), f"{what} {month:%Y-%m}",
                                   vendor, place)
                bill(WATER, 9, "utilities", "Water and sewer", "City of Fenwick Utilities",
                     0.85 + 0.3 * CHANCE.random())
                bill(POWER, 14, "utilities", "Electricity", "Valley Light & Power Co.",
                     0.8 + 0.4 * CHANCE.random())
                bill(GAS, 16, "utilities", "Gas", "Harlan Gas Co.", winter * (0.9 + 0.2 * CHANCE.random()))
                bill(TRASH, 5, "trash", "Trash collection", "Haulway Disposal Corp.")
                bill(CLEANING, 22, "cleaning", "Cleaning of common areas", "Bright Halls Cleaning")
                # The contract of March 2025 raised every monthly fee by $10.
                grounds = {name: fee - (10 if month < date(2025, 4, 1) else 0) for name,
                           fee in (MOWING if warm else SNOW).items()}
                bill(grounds, 28, "landscaping" if warm else "snow removal",
                     "Grounds care" if warm else "Snow removal", "Greenline Grounds LLC")

    def yearly_costs(self):
        for number, insurer, coverage, place, _, _, premium, start, _ in POLICIES:
            paid = day(start) - timedelta(days=10)
            self.spend(paid, "insurance", premium, f"Annual premium {number}, {coverage}", insurer, place)
        for due, paid, year, half in [("2024-07-12", "2024-07-10", 2023, "second"),
                                      ("2025-02-14", "2025-02-11", 2024, "first"),
                                      ("2025-07-11", "2025-07-09", 2024, "second"),
                                      ("2026-02-13", "2026-02-10", 2025, "first")]:
            for name, *_, tax in PROPERTIES:
                if not self.owned(name, day(due)) or (name == "Linden Triplex" and due == "2025-02-14"):
                    continue
                amount = tax if year == 2025 else quarters(tax * (0.97 if year == 2024 else 0.95))
                late = name == "Oak Street Flats" and year == 2025
                when = day("2026-02-27") if late else day(paid)
                self.spend(when, "property tax", amount, f"Property tax {year}, {half} half",
                           "Harlan County Treasurer", name)
                if late:
                    self.spend(when, "penalty", quarters(amount * 0.1),
                               "Late penalty, property tax 2025, first half", "Harlan County Treasurer", name)
                self.add("obligations", property=self.property[name], kind="property tax",
                         title=f"Property tax {year}, {half} half",
                         due_date=due, amount=amount, completed_on=when, status="done")

    def repairs(self):
        units = self.rows["units"]
        for _ in range(286):
            unit = pick(units)
            place = unit["property"]["name"]
            opened = FIRST + timedelta(days=between(0, (TODAY - FIRST).days - 1))
            if not self.owned(place, opened) or not self.owned(place, opened + timedelta(days=30)):
                continue
            trade = pick(list(REPAIRS) + ["plumbing", "handyman", "handyman"])
            vendor, low, high, inside, common = REPAIRS[trade]
            shared = len(UNITS[place]) > 2 and CHANCE.random() < 0.2
            summary = pick(common if shared else inside)
            if summary == "Boiler pressure low" and place not in GAS:
                summary, shared = "No heat", False
            priority = "emergency" if summary in ("No heat",
                                                  "Main drain backing up") else pick(["routine", "routine",
                                                                                      "routine", "urgent"])
            done = opened + timedelta(days=between(0, 2) if priority != "routine" else between(2, 19))
            cost = quarters(low + (high - low) * CHANCE.random() ** 2)
            self.repair(self.property[place], None if shared else unit, trade, summary, priority, opened, done,
                        vendor, cost)

    def repair(self, place, unit, trade, summary, priority, opened, done, vendor, cost):
        payment = None
        paid = done + timedelta(days=between(3, 12))
        if done <= TODAY and paid <= TODAY:
            where = place["name"] + (" " + unit["unit_number"] if unit else "")
            payment = self.spend(paid, "repairs", cost, f"{summary}, {where}", vendor, place["name"])
        self.add("work_orders", property=place, unit=unit, trade=trade, summary=summary, priority=priority,
                 opened_on=opened,
                 completed_on=done if done <= TODAY else None, vendor=self.vendor[vendor],
                 cost=cost if done <= TODAY else None,
                 transaction=payment)

    def loans(self):
        for place, lender, principal, percent, first, years, matures in LOANS:
            rate = percent / 1200
            payment = round(principal * rate / (1 - (1 + rate) ** (-12 * years)), 2)
            loan = self.add("loans", property=self.property[place], lender=lender, original_principal=principal,
                            annual_rate_percent=percent, originated_on=ORIGINATED[place], matures_on=matures,
                            monthly_payment=payment)
            balance = principal
            for month in months_between(day(first), TODAY):
                interest = round(balance * rate, 2)
                balance = round(balance - (payment - interest), 2)
                if month >= FIRST:
                    made = self.spend(month, "loan payment", payment, f"Loan payment {month:%Y-%m}, {lender}",
                                      lender, place)
                    self.add("loan_payments", loan=loan, paid_on=month, principal=round(payment - interest, 2),
                             interest=interest,
                             balance_after=balance, transaction=made)
            loan["current_balance"] = balance

    def one_time_events(self):
        spend = self.spend
        spend(LINDEN_BOUGHT, "property purchase", 79500, "Down payment, Linden Triplex",
              "Fenwick Title Agency LLC", "Linden Triplex")
        spend(LINDEN_BOUGHT, "property purchase", 4275, "Closing costs, Linden Triplex",
              "Fenwick Title Agency LLC", "Linden Triplex")
        spend(day("2025-01-21"), "professional fees", 650, "Appraisal, Linden Triplex",
              "Summit Realty Advisors LLC", "Linden Triplex")
        spend(day("2025-03-18"), "professional fees", 475, "Appraisal, Birch Cottage",
              "Summit Realty Advisors LLC", "Birch Cottage")
        sale = {"property": self.property["Birch Cottage"], "vendor": "Fenwick Title Agency LLC"}
        self.pay(BIRCH_SOLD, "property sale", BIRCH_PRICE, "Sale price, Birch Cottage", **sale)
        self.pay(BIRCH_SOLD, "property sale", -13910, "Commission and closing costs, Birch Cottage", **sale)
        spend(day("2025-06-24"), "capital improvement", 11550, "Roof replacement, Maple Court, deposit",
              "Summit Roofing Inc.", "Maple Court")
        spend(day("2025-08-19"), "capital improvement", 26950, "Roof replacement, Maple Court, final payment",
              "Summit Roofing Inc.", "Maple Court")
        spend(day("2024-09-24"), "capital improvement", 7400, "Furnace replacement, Mill Lane Duplex East",
              "Northwind Heating & Cooling Inc.", "Mill Lane Duplex")
        spend(day("2025-11-13"), "capital improvement", 8925,
              "Water heaters, Cedar Point Apartments building A", "Delgado Plumbing LLC",
              "Cedar Point Apartments")
        spend(day("2025-12-11"), "repairs", 1840, "Smoke detectors and exit lights, Cedar Point Apartments",
              "Brightline Electric", "Cedar Point Apartments")
        spend(day("2026-01-09"), "repairs", 975, "Egress window, Cedar Point Apartments A3", "Amos Tuttle",
              "Cedar Point Apartments")
        spend(day("2025-09-04"), "penalty", 360, "Penalty notice, late Forms 1099-NEC for 2023",
              "Internal Revenue Service")
        for when, amount, what in [("2024-11-06", 1350, "Lease forms review"),
                                   ("2025-02-20", 1800, "Closing of Linden Triplex"),
                                   ("2025-06-12", 1225, "Closing of Birch Cottage"),
                                   ("2025-09-16", 940, "Wendell Pruitt termination"),
                                   ("2025-12-04", 1450, "Draft of third amendment"),
                                   ("2026-03-17", 620, "Notice to Terrence Boyle")]:
            spend(day(when), "professional fees", amount, what, "Osgood & Pike, Attorneys")

    def company_costs(self):
        for month in months_between(FIRST, TODAY):
            on = month.replace
            self.spend(on(day=3), "professional fees", 385 if month.year < 2026 else 410,
                       f"Bookkeeping {month:%Y-%m}", "Ledgerwell Bookkeeping LLC")
            self.spend(on(day=7), "software", 96, f"Rent collection software {month:%Y-%m}",
                       "RentRoll Cloud Inc.")
            self.spend(on(day=28), "bank fees", 18, f"Account fee {month:%Y-%m}", "Fenwick Community Bank")
            self.pay(on(day=15), "manager compensation", -1800, f"Manager compensation {month:%Y-%m}",
                     member=self.rows["members"][0])
            self.pay(on(day=20), "transfer", -1500, "Transfer to reserve")
            self.pay(on(day=20), "transfer", 1500, "Transfer from operating", "Reserve")
            self.pay(on(day=28), "interest income", quarters(130 + 70 * CHANCE.random()),
                     f"Interest {month:%Y-%m}", "Reserve")
        for when, total in DISTRIBUTIONS:
            for member in self.rows["members"]:
                share = total * member["ownership_percent"] / 100
                self.pay(day(when), "member distribution", -share, f"Distribution, {member['full_name']}",
                         member=member)
        for year, units, when in [(2025, 37, "2025-01-08"), (2026, 39, "2026-01-08")]:
            self.spend(day(when), "licenses and filings", 45 * units,
                       f"Rental license {year}, {units} residential units", "City of Fenwick")
        for when in ("2025-04-03", "2026-04-03"):
            if day(when) <= TODAY:
                self.spend(day(when), "licenses and filings", 180, "Statutory agent, one year",
                           "Garrison Registered Agents, Inc.")
        for when, what, amount in [("2025-03-04", "Tax return 2024 (Form 1065)", 2150),
                                   ("2026-03-05", "Tax return 2025 (Form 1065)", 2300)]:
            self.spend(day(when), "professional fees", amount, what, "Ledgerwell Bookkeeping LLC")
        for when, place, amount in [("2024-10-08", "Maple Court", 310),
                                    ("2024-10-08", "Cedar Point Apartments", 340),
                                    ("2025-03-12", "Station Corner", 195),
                                    ("2025-10-07", "Maple Court", 325),
                                    ("2025-10-07", "Cedar Point Apartments", 355)]:
            self.spend(day(when), "inspections", amount, "Fire extinguisher inspection", "Ironvale Safety Co.",
                       place)

    def obligations(self):
        def duty(kind, title, due, done=None, amount=None, place=None):
            status = "done" if done else "overdue" if day(due) < TODAY else "open"
            self.add("obligations", property=self.property.get(place), kind=kind, title=title, due_date=due,
                     amount=amount, completed_on=done, status=status)
        for number, _, coverage, place, _, _, premium, start, _ in POLICIES:
            duty("insurance", f"Premium {number}, {coverage}", start,
                 (day(start) - timedelta(days=10)).isoformat(), premium, place)
        duty("insurance", "Renew flood policy FL-2093-25", "2026-07-15", place="Riverside Row")
        duty("insurance", "Renew commercial property policy CP-4410-25", "2026-09-01")
        for name, *_, tax in PROPERTIES:
            if name != "Birch Cottage":
                duty("property tax", "Property tax 2025, second half", "2026-07-10", amount=tax, place=name)
        duty("filing", "Form 1065 for 2024", "2025-03-17", "2025-03-04")
        duty("filing", "Form 1065 for 2025", "2026-03-16", "2026-03-05")
        duty("filing", "Forms 1099-NEC for 2024", "2025-01-31", "2025-01-24")
        duty("filing", "Forms 1099-NEC for 2025", "2026-02-02", "2026-01-26")
        duty("filing", "Complaint to the Board of Revision on the valuation of Maple Court", "2026-03-31",
             place="Maple Court")
        duty("license", "Rental license 2025", "2025-01-15", "2025-01-08", 1665)
        duty("license", "Rental license 2026", "2026-01-15", "2026-01-08", 1755)
        duty("license", "Rental license 2027", "2027-01-15")
        duty("license", "Statutory agent, yearly fee", "2026-04-11", amount=180)
        duty("inspection", "Boiler inspection", "2025-05-31", "2025-05-20", place="Maple Court")
        duty("inspection", "Boiler inspection", "2026-05-31", place="Maple Court")
        duty("inspection", "Boiler inspection", "2025-06-30", "2025-06-11", place="Station Corner")
        duty("inspection", "Boiler inspection", "2026-06-30", place="Station Corner")
        for place, past, done, coming in [("Maple Court", "2025-10-15", "2025-10-07", "2026-10-15"),
                                          ("Cedar Point Apartments", "2025-10-15", "2025-10-07", "2026-10-15")]:
            duty("inspection", "Fire extinguisher inspection", past, done, place=place)
            duty("inspection", "Fire extinguisher inspection", coming, place=place)
        duty("inspection", "Fire extinguisher inspection", "2025-03-15", "2025-03-12", place="Station Corner")
        duty("inspection", "Fire extinguisher inspection", "2026-03-15", place="Station Corner")
        duty("inspection", "Backflow test", "2025-02-28", "2025-02-19", place="Riverside Row")
        duty("inspection", "Backflow test", "2026-02-28", place="Riverside Row")
        duty("inspection", "City housing inspection", "2025-11-12", "2025-11-12",
             place="Cedar Point Apartments")
        duty("correction", "Smoke detectors in building A", "2026-01-20", "2025-12-05",
             place="Cedar Point Apartments")
        duty("correction", "Exit lights in building B", "2026-01-20", "2025-12-05",
             place="Cedar Point Apartments")
        duty("correction", "Egress window in A3", "2026-01-20", "2026-01-06", place="Cedar Point Apartments")
        duty("correction", "Handrail of the rear stairs of building B", "2026-04-30",
             place="Cedar Point Apartments")
        duty("loan", "Financial statements 2025 to Fenwick Community Bank", "2026-04-30")
        duty("loan", "Financial statements 2024 to Fenwick Community Bank", "2025-04-30", "2025-04-16")

    def number(self):
        """Orders what has a date, gives every row its number and sums up the accounts."""
        for table, key in [("transactions", "transaction_date"), ("charges", "due_date"),
                           ("work_orders", "opened_on"),
                           ("obligations", "due_date"), ("leases", "start_date"), ("loan_payments", "paid_on")]:
            self.rows[table].sort(key=lambda row: str(row[key]))
        for rows in self.rows.values():
            for number, row in enumerate(rows, 1):
                row["id"] = number
        for account in self.rows["accounts"]:
            moved = sum(round(row["amount"] * 100) for row in self.rows["transactions"] if row["account"] is account)
            account["current_balance"] = round(account["opening_balance"] + moved / 100, 2)


def tables():
    """The columns of each table, in order."""
    database = sqlite3.connect(":memory:")
    database.executescript(SCHEMA)
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    return {name: [row[1] for row in database.execute(f"PRAGMA table_info({name})")] for name in names}


def cell(row, column, own):
    if column == own:
        return str(row["id"])
    value = row[column] if column in row else row[column.removesuffix("_id")]
    if isinstance(value, dict):
        value = value["id"]
    if value is None:
        return "NULL"
    if isinstance(value, (int, float)):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return "'" + str(value).replace("'", "''") + "'"


def sql(business):
    parts = ["-- The books of Harrow & Pine Properties LLC, an invented landlord.\n"
             "-- Written by make_database.py: change that, not this.\n\n", SCHEMA]
    for table, columns in tables().items():
        rows = ["(" + ",".join(cell(row, column,
                                    columns[0]) for column in columns) + ")" for row in business.rows[table]]
        for start in range(0, len(rows), 400):
            parts.append(f"\nINSERT INTO {table} VALUES\n" + ",\n".join(rows[start:start + 400]) + ";\n")
    return "".join(parts)


def form_1099(database):
    """The table of the documents, from the transactions it reports."""
    rows = database.execute("""
        SELECT name, entity_type, -SUM(amount) FROM transactions JOIN vendors USING (vendor_id)
        WHERE receives_1099 = 1 AND transaction_date LIKE '2025%'
        GROUP BY vendor_id HAVING -SUM(amount) >= 600 ORDER BY name""").fetchall()
    lines = ["recipient,entity_type,form,box_1_nonemployee_compensation"]
    lines += [f'"{name}",{kind},1099-NEC,{amount:.2f}' for name, kind, amount in rows]
    total = sum(amount for _, _, amount in rows)
    return "\n".join(lines + [f"TOTAL,,{len(rows)} forms,{total:.2f}"]) + "\n"


def bank_letter(database):
    """The lines of the letter of the bank, with the balances of its own books."""
    def balance(account):
        return database.execute("""
            SELECT opening_balance + (SELECT SUM(amount) FROM transactions AS t
              WHERE t.account_id = a.account_id AND transaction_date <= '2026-02-28')
            FROM accounts AS a WHERE name = ?""", [account]).fetchone()[0]
    loans = database.execute("""
        SELECT name, balance_after FROM loan_payments JOIN loans USING (loan_id) JOIN properties USING (property_id)
        WHERE lender = 'Fenwick Community Bank' AND paid_on = '2026-02-01' ORDER BY loan_id""").fetchall()
    return [
        "FENWICK COMMUNITY BANK", "Commercial Lending, 1 Exchange Street, Fenwick, Ohio 43908", "",
        "March 5, 2026", "",
        "Harrow & Pine Properties LLC", "18 Chandler Street, Suite 4, Fenwick, Ohio 43908", "",
        "Re: balances and covenants", "", "Dear Ms. Whitcombe,", "",
        "As you asked, we confirm the following as of the close of February 28, 2026:", "",
        f"Operating account ending 4417: ${balance('Operating'):,.2f}",
        f"Security deposit account ending 4425: ${balance('Security deposits'):,.2f}",
        *[f"Loan secured by {name}, principal outstanding: ${amount:,.2f}" for name, amount in loans], "",
        "We remind you of the covenants that apply to all three loans:", "",
        "1. A debt service coverage ratio of at least 1.25, tested once a year on",
        "   the figures of the calendar year.",
        "2. Annual financial statements within 120 days of the end of the year.",
        "   Those for 2025 are due on April 30, 2026.",
        "3. A certificate of property insurance naming the bank as mortgagee.",
        "   The certificate for policy CP-4410-25 reached us on October 2, 2025,",
        "   after the date agreed; we waive that default this once.", "",
        "No other default is known to us.", "", "Sincerely,", "Gordon Haverly",
        "Vice President, Commercial Lending",
    ]


def pdf(lines):
    """One page of text in the smallest PDF that every reader opens."""
    def escaped(text):
        return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    text = "BT /F1 10 Tf 14 TL 64 780 Td\n" + "".join(f"({escaped(line)}) Tj T*\n" for line in lines) + "ET"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(text)} >>\nstream\n{text}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    out, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return f"{out}xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode("ascii")


def main():
    business = Business()
    business.build()
    script = sql(business)
    database = sqlite3.connect(":memory:")
    database.executescript(script)
    files = {
        HERE / "database.sql": script.encode(),
        HERE / "documents/tax/1099-summary-2025.csv": form_1099(database).encode(),
        HERE / "documents/bank/covenant-letter-2026.pdf": pdf(bank_letter(database)),
    }
    if "--check" in sys.argv[1:]:
        stale = [path.name for path,
                 content in files.items() if not path.is_file() or path.read_bytes() != content]
        if stale:
            sys.exit(f"not as this script writes them: {', '.join(stale)}")
    else:
        for path, content in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    audit(database, HERE / "documents")


if __name__ == "__main__":
    main()
