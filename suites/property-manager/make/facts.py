"""What is given about the business: people, buildings, contracts and prices, all invented.

The documents speak of many of these names, dates and amounts. Whoever changes one here changes it
there as well; the questions are checked against both by `toolgauge check`.
"""

from datetime import date

# The books begin and end with these days.
FIRST, TODAY = date(2024, 7, 1), date(2026, 3, 31)

MEMBERS = [
    ("Eleanor Whitcombe", "manager", 40, "2016-04-11"),
    ("Marcus Whitcombe", "member", 25, "2016-04-11"),
    ("Dolores Abernathy", "member", 15, "2016-04-11"),
    ("Priya Raman", "treasurer", 20, "2019-09-01"),
]

# name, street, type, built, square feet, parcel, purchased, price, assessed, half-year tax
PROPERTIES = [
    ("Maple Court", "412 Maple Ave", "apartment building", 1964, 7600, "14-0412-08", "2018-05-31", 815000,
     612000, 6310),
    ("Maple Terrace", "1412 Maple Ave", "fourplex", 1978, 3900, "14-1412-04", "2016-06-20", 289000, 274000,
     2825),
    ("Oak Street Flats", "27 Oak St", "apartment building", 1931, 5400, "09-0027-06", "2016-09-30", 342000,
     358000, 3690),
    ("Oakhurst House", "270 Oak St", "single-family house", 1948, 2140, "09-0270-01", "2017-03-15", 196000,
     231000, 2380),
    ("Riverside Row", "900 S 9th St", "townhouses", 1996, 7250, "22-0900-05", "2021-07-29", 548000, 517000,
     5330),
    ("Mill Lane Duplex", "58 Mill Ln", "duplex", 1955, 2300, "17-0058-02", "2016-06-20", 148000, 162000, 1670),
    ("Cedar Point Apartments", "3300 Cedar Point Rd", "apartment building", 1987, 7900, "31-3300-08",
     "2020-10-30", 1040000, 671500, 6923),
    ("Linden Triplex", "19 Linden St", "triplex", 1926, 3150, "11-0019-03", "2025-02-14", 318000, 266000, 2740),
    ("Station Corner", "2 Depot Sq", "mixed use", 1912, 5200, "02-0002-04", "2019-11-08", 467000, 421000, 4340),
    ("Birch Cottage", "141 Birch St", "single-family house", 1939, 1180, "12-0141-01", "2017-08-25", 121000,
     158000, 1630),
]
LINDEN_BOUGHT, BIRCH_SOLD, BIRCH_PRICE = date(2025, 2, 14), date(2025, 5, 30), 214000

# property: units as number, bedrooms, bathrooms, square feet, rent in 2024
UNITS = {
    "Maple Court": [("1A", 1, 1, 780, 985), ("1B", 2, 1, 940, 1150), ("1C", 2, 1, 940, 1160),
                    ("1D", 1, 1, 780, 990),
                    ("2A", 1, 1, 780, 1005), ("2B", 2, 1, 960, 1215), ("2C", 2, 1, 940, 1175),
                    ("2D", 1, 1, 780, 995)],
    "Maple Terrace": [("1", 2, 1, 960, 1080), ("2", 2, 1, 960, 1095), ("3", 2, 1, 960, 1070),
                      ("4", 3, 1.5, 1020, 1210)],
    "Oak Street Flats": [("1A", 1, 1, 820, 920), ("1B", 1, 1, 820, 915), ("2A", 2, 1, 900, 1045),
                         ("2B", 2, 1, 900, 1060), ("3A", 2, 1, 980, 1090), ("3B", 2, 1, 980, 1085)],
    "Oakhurst House": [("House", 4, 2, 2140, 2050)],
    "Riverside Row": [("1", 3, 2.5, 1450, 1540), ("2", 3, 2.5, 1450, 1530), ("3", 3, 2.5, 1450, 1470),
                      ("4", 3, 2.5, 1450, 1550), ("5", 3, 2.5, 1450, 1565)],
    "Mill Lane Duplex": [("East", 2, 1, 1150, 1120), ("West", 2, 1, 1150, 1105)],
    "Cedar Point Apartments": [("A1", 2, 1, 980, 1035), ("A2", 2, 1, 980, 1040), ("A3", 2, 1, 980, 1050),
                               ("A4", 2, 1, 980, 1045),
                               ("B1", 2, 1, 980, 1040), ("B2", 2, 1, 980, 1055), ("B3", 2, 1, 980, 1030),
                               ("B4", 2, 1, 980, 1020)],
    "Linden Triplex": [("1", 2, 1, 1050, 1010), ("2", 2, 1, 1050, 1035), ("3", 2, 1, 1050, 995)],
    "Station Corner": [("Suite A", None, 1, 1650, 2400), ("Suite B", None, 1, 1350, 1950),
                       ("2L", 1, 1, 860, 1025), ("2R", 2, 1, 1040, 1190)],
    "Birch Cottage": [("House", 2, 1, 1180, 1390)],
}

# Tenancies the documents and questions speak of; the others are drawn.
# unit: (tenant, moved in, deposit, pets, [(start, end, rent, terminated early)])
TENANCIES = {
    ("Maple Court", "1C"): [("Daniela Ortega", "2023-11-01", 1160, None,
                             [("2023-11-01", "2024-10-31", 1160, None),
                              ("2024-11-01", "2025-10-31", 1195, None),
                              ("2025-11-01", "2026-10-31", 1235, None)])],
    ("Maple Court", "2B"): [("Nadia Farouk", "2023-06-01", 1215, "one cat",
                             [("2024-06-01", "2025-05-31", 1215, None),
                              ("2025-06-01", "2026-05-31", 1275, None)])],
    ("Maple Terrace", "2"): [("Daniel Ortega", "2022-08-01", 1050, None,
                              [("2023-08-01", "2024-07-31", 1060, None),
                               ("2024-08-01", "2025-07-31", 1095, None),
                               ("2025-08-01", "2026-07-31", 1130, None)])],
    ("Maple Terrace", "4"): [("Ines Valdivia", "2024-03-01", 1210, None,
                              [("2024-03-01", "2025-02-28", 1210, None),
                               ("2025-03-01", "2026-02-28", 1250, None),
                               ("2026-03-01", "2027-02-28", 1290, None)])],
    ("Oak Street Flats", "1B"): [("Bertram Quill", "2023-02-01", 900, None,
                                  [("2024-02-01", "2025-01-31", 915, None),
                                   ("2025-02-01", "2026-01-31", 945, None)])],
    ("Oak Street Flats", "3A"): [("Julia Reyes", "2024-05-01", 1090, None,
                                  [("2024-05-01", "2025-04-30", 1090, None),
                                   ("2025-05-01", "2026-04-30", 1125, None)])],
    ("Oakhurst House", "House"): [("Rolf Anders", "2023-09-01", 2050, None, [("2023-09-01", "2024-08-31", 2050,
                                                                              None)]),
                                  ("Gwendolyn Achebe", "2024-10-01", 2150, "two dogs",
                                   [("2024-10-01", "2026-03-31", 2150, None),
                                    ("2026-04-01", "2027-03-31", 2225, None)])],
    ("Riverside Row", "3"): [("Harriet Blum", "2022-08-01", 1440, None,
                              [("2023-08-01", "2024-07-31", 1470, None),
                               ("2024-08-01", "2025-07-31", 1520, None)]),
                             ("Julian Reyes", "2025-09-01", 1595, "one dog",
                              [("2025-09-01", "2026-08-31", 1595, None)])],
    ("Cedar Point Apartments", "A2"): [("Terrence Boyle", "2023-07-01", 1010, None,
                                        [("2024-07-01", "2025-06-30", 1040, None),
                                         ("2025-07-01", "2026-06-30", 1075, None)])],
    ("Cedar Point Apartments", "B4"): [("Lorna Tisdale", "2021-12-01", 980, None, [("2023-12-01", "2024-11-30",
                                                                                    1020, None)]),
                                       ("Wendell Pruitt", "2024-12-01", 1060, None,
                                        [("2024-12-01", "2025-11-30", 1060, "2025-08-31")]),
                                       ("Imani Castellanos", "2025-11-01", 1095, None,
                                        [("2025-11-01", "2026-10-31", 1095, None)])],
    ("Linden Triplex", "1"): [("Otis Grantham", "2022-03-01", 1010, None,
                               [("2025-03-01", "2026-02-28", 1030, None),
                                ("2026-03-01", "2027-02-28", 1065, None)])],
    ("Linden Triplex", "2"): [("Sarah Lindqvist", "2023-08-01", 1035, "one cat",
                               [("2024-08-01", "2025-07-31", 1035, None),
                                ("2025-08-01", "2026-07-31", 1070, None)])],
    ("Linden Triplex", "3"): [("Paulette Mbeki", "2024-06-01", 995, None,
                               [("2024-06-01", "2025-05-31", 995, None),
                                ("2025-06-01", "2026-05-31", 1030, None)])],
    ("Station Corner", "Suite A"): [("Copper Kettle Bakery LLC", "2022-03-01", 4800, None,
                                     [("2022-03-01", "2025-02-28", 2400, None),
                                      ("2025-03-01", "2028-02-29", 2560, None)])],
    ("Station Corner", "Suite B"): [("Northgate Optical Inc.", "2023-10-01", 3900, None, [("2023-10-01",
                                                                                           "2026-09-30", 1950,
                                                                                           None)])],
    ("Birch Cottage", "House"): [("Sara Lindquist", "2021-04-01", 1310, None, [("2024-04-01", "2025-03-31",
                                                                                1390, None)])],
}
COMMERCIAL = {"Copper Kettle Bakery LLC", "Northgate Optical Inc."}
# Rent that was not paid, and what became of it.
UNPAID = {("Terrence Boyle", "2026-02-01"): "open", ("Terrence Boyle", "2026-03-01"): "open",
          ("Ines Valdivia", "2026-03-01"): "open",
          ("Wendell Pruitt", "2025-07-01"): "written off", ("Wendell Pruitt", "2025-08-01"): "written off"}
# How often somebody pays after the grace period, where it is not the usual.
LATENESS = {"Terrence Boyle": 0.4, "Wendell Pruitt": 0.5, "Ines Valdivia": 0.25, "Northgate Optical Inc.": 0.15,
            "Julian Reyes": 0.0, "Nadia Farouk": 0.0, "Copper Kettle Bakery LLC": 0.05}

NAMES = """Adaeze Nwosu|Silas Berenger|Maribel Fuentes|Kenji Morioka|Rhoda Pellington|Anton Voss|Clarice Dupree|Hamid Sattari
Lucille Farnham|Petra Halvorsen|Darnell Hightower|Yesenia Bravo|Cormac Delaney|Mina Tran|Ephraim Stoltz|Rosalind Achterberg
Dwight Palomino|Noor Haddad|Felicity Crane|Gustavo Leitao|Bronwyn Keele|Abel Zamora|Tamsin Greer|Ivo Marchetti
Latoya Winfield|Sven Aldersey|Consuelo Prado|Winston Achterman|Keiko Amari|Elias Thornbury|Vivian Osei|Randall Mott
Fatima Belkacem|Joss Hadley|Marguerite Soto|Caleb Ransome|Anneke de Wit|Tyrone Baptiste|Ottilie Werner|Sanjay Kulkarni
Beatriz Coelho|Leland Foss|Miriam Adeyemi|Cyrus Vandermeer|Dina Papadakis|Emmett Larkspur|Zora Whitfield|Ignacio Bello
Prudence Oakley|Mateusz Zielinski|Selma Rourke|Alonzo Pickett|Hester Vance|Rafael Monteiro|Opal Jennings|Viktor Sandoval""".replace("\n", "|").split("|")

# name, trade, kind of entity, whether it gets a 1099
VENDORS = [
    ("Delgado Plumbing LLC", "plumbing", "LLC", 1), ("Brightline Electric", "electrical", "partnership", 1),
    ("Northwind Heating & Cooling Inc.", "heating and cooling", "corporation", 0),
    ("Amos Tuttle", "handyman", "individual", 1),
    ("Vega Painting", "painting", "individual", 1), ("Rusk Appliance Repair", "appliances", "individual", 1),
    ("Keystone Lock & Key", "locksmith", "individual", 1),
    ("Sentry Pest Control Inc.", "pest control", "corporation", 0),
    ("Summit Roofing Inc.", "roofing", "corporation", 0), ("Summit Realty Advisors LLC", "appraisal", "LLC", 1),
    ("Greenline Grounds LLC", "grounds and snow", "LLC", 1),
    ("Bright Halls Cleaning", "cleaning", "partnership", 1),
    ("Haulway Disposal Corp.", "trash", "corporation", 0),
    ("City of Fenwick Utilities", "water and sewer", "government", 0),
    ("Valley Light & Power Co.", "electricity", "corporation", 0), ("Harlan Gas Co.", "gas", "corporation", 0),
    ("Lakeshore Mutual Insurance Co.", "insurance", "corporation", 0),
    ("Harbor National Flood Insurance Co.", "insurance", "corporation", 0),
    ("Harlan County Treasurer", "property tax", "government", 0),
    ("City of Fenwick", "licenses", "government", 0),
    ("Ledgerwell Bookkeeping LLC", "bookkeeping", "LLC", 1),
    ("Osgood & Pike, Attorneys", "legal", "partnership", 1),
    ("RentRoll Cloud Inc.", "software", "corporation", 0),
    ("Garrison Registered Agents, Inc.", "registered agent", "corporation", 0),
    ("Internal Revenue Service", "federal tax", "government", 0),
    ("Fenwick Community Bank", "bank", "corporation", 0),
    ("Tri-County Savings Bank", "bank", "corporation", 0),
    ("Fenwick Title Agency LLC", "title and closing", "LLC", 0),
    ("Ironvale Safety Co.", "fire safety", "corporation", 0),
]

# trade: vendor, lowest and highest cost, what is reported in units, what in common areas
REPAIRS = {
    "plumbing": ("Delgado Plumbing LLC", 110, 480, ["Kitchen faucet leaking", "Toilet keeps running",
                                                    "Bathtub drain clogged", "Water heater not heating",
                                                    "Leak under bathroom sink"],
                                                    ["Leak in laundry room", "Main drain backing up"]),
    "electrical": ("Brightline Electric", 95, 420, ["Outlet without power", "Bathroom fan not working",
                                                    "Breaker keeps tripping", "Ceiling light flickers"],
                                                    ["Hallway lights out", "Exterior lamp broken"]),
    "heating and cooling": ("Northwind Heating & Cooling Inc.", 130, 690,
                            ["No heat", "Air conditioner not cooling", "Thermostat does not respond",
                             "Furnace rattles"], ["Boiler pressure low"]),
    "handyman": ("Amos Tuttle", 65, 260, ["Closet door off its track", "Window does not close",
                                          "Loose stair tread", "Cabinet hinge broken", "Smoke detector chirps"],
                                          ["Mailbox door bent", "Fence board missing"]),
    "painting": ("Vega Painting", 240, 880, ["Repaint after move-out", "Water stain on ceiling"],
                 ["Touch up hallway walls"]),
    "appliances": ("Rusk Appliance Repair", 85, 340, ["Refrigerator not cooling", "Oven does not heat",
                                                      "Dishwasher leaks", "Garbage disposal jammed"],
                                                      ["Laundry room dryer broken"]),
    "locksmith": ("Keystone Lock & Key", 75, 190, ["Lock change", "Key broke in lock"],
                  ["Entry door closer worn"]),
    "pest control": ("Sentry Pest Control Inc.", 90, 280, ["Ants in kitchen", "Mice heard in wall"],
                     ["Wasp nest at entry"]),
}

LOANS = [  # property, lender, principal, rate, first month, years of amortization, maturity
    ("Maple Court", "Fenwick Community Bank", 620000, 4.5, "2018-07-01", 25, "2043-06-01"),
    ("Cedar Point Apartments", "Tri-County Savings Bank", 780000, 3.875, "2020-12-01", 30, "2050-11-01"),
    ("Riverside Row", "Fenwick Community Bank", 410000, 4.125, "2021-09-01", 20, "2041-08-01"),
    ("Linden Triplex", "Fenwick Community Bank", 238500, 6.75, "2025-04-01", 25, "2035-03-01"),
]
ORIGINATED = {"Maple Court": "2018-05-31", "Cedar Point Apartments": "2020-10-30",
              "Riverside Row": "2021-07-29", "Linden Triplex": "2025-02-14"}

POLICIES = [  # number, insurer, coverage, property, limit, deductible, premium, from, until
    ("CP-4410-24", "Lakeshore Mutual Insurance Co.", "commercial property", None, 4200000, 5000, 21600,
     "2024-09-01", "2025-09-01"),
    ("CP-4410-25", "Lakeshore Mutual Insurance Co.", "commercial property", None, 4650000, 10000, 24300,
     "2025-09-01", "2026-09-01"),
    ("GL-7782-25", "Lakeshore Mutual Insurance Co.", "general liability", None, 1000000, 1000, 6800,
     "2025-01-01", "2026-01-01"),
    ("GL-7782-26", "Lakeshore Mutual Insurance Co.", "general liability", None, 1000000, 2500, 7250,
     "2026-01-01", "2027-01-01"),
    ("FL-2093-24", "Harbor National Flood Insurance Co.", "flood", "Riverside Row", 500000, 5000, 2980,
     "2024-07-15", "2025-07-15"),
    ("FL-2093-25", "Harbor National Flood Insurance Co.", "flood", "Riverside Row", 500000, 5000, 3150,
     "2025-07-15", "2026-07-15"),
    ("UM-0517-25", "Lakeshore Mutual Insurance Co.", "umbrella", None, 3000000, 0, 2440, "2025-09-01",
     "2026-09-01"),
]

DISTRIBUTIONS = [("2024-07-15", 36000), ("2024-10-15", 36000), ("2025-01-15", 40000), ("2025-04-15", 36000),
                 ("2025-07-15", 80000), ("2025-10-15", 30000), ("2026-01-15", 42000)]
MOWING = {"Maple Court": 220, "Maple Terrace": 140, "Oak Street Flats": 160, "Oakhurst House": 90,
          "Riverside Row": 180,
          "Mill Lane Duplex": 90, "Cedar Point Apartments": 240, "Linden Triplex": 80, "Station Corner": 60,
          "Birch Cottage": 80}
SNOW = {"Maple Court": 170, "Maple Terrace": 90, "Oak Street Flats": 120, "Oakhurst House": 60,
        "Riverside Row": 140,
        "Mill Lane Duplex": 60, "Cedar Point Apartments": 210, "Linden Triplex": 70, "Station Corner": 60,
        "Birch Cottage": 60}
WATER = {"Maple Court": 410, "Maple Terrace": 205, "Oak Street Flats": 290, "Riverside Row": 260,
         "Mill Lane Duplex": 105,
         "Cedar Point Apartments": 430, "Linden Triplex": 150, "Station Corner": 190}
POWER = {"Maple Court": 118, "Maple Terrace": 52, "Oak Street Flats": 84, "Riverside Row": 66,
         "Cedar Point Apartments": 131,
         "Linden Triplex": 38, "Station Corner": 97}
GAS = {"Maple Court": 390, "Station Corner": 240}
TRASH = {"Maple Court": 165, "Maple Terrace": 85, "Oak Street Flats": 120, "Riverside Row": 95,
         "Mill Lane Duplex": 45,
         "Cedar Point Apartments": 175, "Linden Triplex": 65, "Station Corner": 140}
CLEANING = {"Maple Court": 240, "Oak Street Flats": 180, "Cedar Point Apartments": 260, "Station Corner": 150}

DOCUMENTS = [  # path, title, kind, date, property, status
    ("bank/covenant-letter-2026.pdf", "Letter of Fenwick Community Bank on balances and covenants",
     "bank letter", "2026-03-05", None, "final"),
    ("compliance/notice-of-violation-cedar-point.md", "Notice of violation, Cedar Point Apartments",
     "compliance notice", "2025-11-20", "Cedar Point Apartments", "superseded"),
    ("compliance/reinspection-cedar-point.md", "Reinspection result and extension, Cedar Point Apartments",
     "compliance notice", "2026-02-05", "Cedar Point Apartments", "final"),
    ("compliance/rental-license-2026.txt", "Rental license certificate 2026", "license", "2026-01-12", None,
     "final"),
    ("formation/articles-of-organization.txt", "Articles of organization", "formation", "2016-04-11", None,
     "final"),
    ("formation/ein-confirmation.txt", "Confirmation of the employer identification number", "formation",
     "2016-04-25", None, "final"),
    ("governance/amendment-1.md", "First amendment to the operating agreement", "governance", "2019-09-01",
     None, "final"),
    ("governance/amendment-2.md", "Second amendment to the operating agreement", "governance", "2023-01-15",
     None, "final"),
    ("governance/amendment-3-draft.md", "Third amendment to the operating agreement (draft)", "governance",
     "2025-11-24", None, "draft"),
    ("governance/consent-birch-cottage.md", "Written consent to the sale of Birch Cottage", "governance",
     "2025-04-22", "Birch Cottage", "final"),
    ("governance/minutes-2024-10.md", "Minutes of the annual meeting 2024", "minutes", "2024-10-17", None,
     "final"),
    ("governance/minutes-2025-10.md", "Minutes of the annual meeting 2025", "minutes", "2025-10-16", None,
     "final"),
    ("governance/minutes-2026-02.md", "Minutes of the special meeting of February 2026", "minutes",
     "2026-02-19", None, "final"),
    ("governance/operating-agreement.md", "Operating agreement", "governance", "2016-04-18", None, "final"),
    ("house-rules.md", "House rules for residential tenants", "rules", "2025-01-01", None, "final"),
    ("inspections/cedar-point-2025-11.md", "Housing inspection report, Cedar Point Apartments",
     "inspection report", "2025-11-12", "Cedar Point Apartments", "final"),
    ("inspections/maple-court-boiler-2025.md", "Boiler inspection report, Maple Court", "inspection report",
     "2025-05-20", "Maple Court", "final"),
    ("insurance/general-liability-2026.md", "General liability policy 2026", "insurance policy", "2026-01-01",
     None, "final"),
    ("insurance/property-policy-2024.md", "Commercial property policy 2024-25", "insurance policy",
     "2024-09-01", None, "superseded"),
    ("insurance/property-policy-2025.md", "Commercial property policy 2025-26", "insurance policy",
     "2025-09-01", None, "final"),
    ("leases/maple-court-2b.md", "Lease of Maple Court 2B, Nadia Farouk", "lease", "2025-05-06", "Maple Court",
     "final"),
    ("leases/oakhurst-house-renewal.md", "Renewal of the lease of Oakhurst House, Gwendolyn Achebe", "lease",
     "2026-02-24", "Oakhurst House", "final"),
    ("leases/riverside-row-3-draft.md", "Lease of Riverside Row 3, Julian Reyes (draft)", "lease", "2025-08-04",
     "Riverside Row", "draft"),
    ("leases/riverside-row-3.md", "Lease of Riverside Row 3, Julian Reyes", "lease", "2025-08-18",
     "Riverside Row", "final"),
    ("leases/station-corner-suite-a.md", "Lease of Station Corner Suite A, Copper Kettle Bakery LLC", "lease",
     "2025-01-30", "Station Corner", "final"),
    ("loans/linden-promissory-note.md", "Promissory note, Linden Triplex", "loan", "2025-02-14",
     "Linden Triplex", "final"),
    ("tax/1099-summary-2025.csv", "Payments reported on Forms 1099-NEC for 2025", "tax", "2026-01-26", None,
     "final"),
    ("tax/county-tax-bill-cedar-point.html", "Property tax bill, Cedar Point Apartments, tax year 2025", "tax",
     "2026-01-05", "Cedar Point Apartments", "final"),
    ("tax/irs-penalty-notice.txt", "Notice of a penalty for late Forms 1099-NEC of 2023", "tax", "2025-08-18",
     None, "final"),
    ("tax/valuation-notice-maple-court.md", "Notice of the new valuation of Maple Court", "tax", "2026-01-20",
     "Maple Court", "final"),
    ("vendors/grounds-contract-2025.md", "Grounds and snow contract with Greenline Grounds LLC",
     "vendor contract", "2025-03-10", None, "final"),
]
