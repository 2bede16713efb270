CREATE TABLE members (  -- the owners of the company; all dates are texts like 2026-03-31
  member_id INTEGER PRIMARY KEY,
  full_name TEXT NOT NULL,
  role TEXT NOT NULL,
  ownership_percent REAL NOT NULL,  -- as of today
  admitted_on TEXT NOT NULL
);
CREATE TABLE properties (
  property_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  street_address TEXT NOT NULL,
  city TEXT NOT NULL,
  state TEXT NOT NULL,
  zip TEXT NOT NULL,
  property_type TEXT NOT NULL,
  year_built INTEGER NOT NULL,
  square_feet INTEGER NOT NULL,
  parcel_number TEXT NOT NULL,
  purchased_on TEXT NOT NULL,
  purchase_price NUMERIC NOT NULL,
  assessed_value NUMERIC NOT NULL,  -- by the county, tax year 2025
  sold_on TEXT,  -- NULL while owned
  sale_price NUMERIC
);
CREATE TABLE units (
  unit_id INTEGER PRIMARY KEY,
  property_id INTEGER NOT NULL REFERENCES properties,
  unit_number TEXT NOT NULL,
  bedrooms INTEGER,  -- NULL for commercial units
  bathrooms REAL,
  square_feet INTEGER NOT NULL
);
CREATE TABLE tenants (
  tenant_id INTEGER PRIMARY KEY,
  full_name TEXT NOT NULL,
  email TEXT NOT NULL,
  phone TEXT NOT NULL,
  moved_in_on TEXT NOT NULL,
  moved_out_on TEXT  -- NULL while living there
);
CREATE TABLE leases (  -- a renewal is a lease of its own
  lease_id INTEGER PRIMARY KEY,
  unit_id INTEGER NOT NULL REFERENCES units,
  tenant_id INTEGER NOT NULL REFERENCES tenants,
  start_date TEXT NOT NULL,
  end_date TEXT NOT NULL,
  monthly_rent NUMERIC NOT NULL,
  security_deposit NUMERIC NOT NULL,
  grace_days INTEGER NOT NULL,
  late_fee NUMERIC NOT NULL,
  pets TEXT,  -- NULL if none are allowed
  status TEXT NOT NULL,  -- active, ended, upcoming, terminated early
  terminated_on TEXT
);
CREATE TABLE vendors (
  vendor_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  trade TEXT NOT NULL,
  entity_type TEXT NOT NULL,  -- individual, partnership, LLC, corporation, government
  receives_1099 INTEGER NOT NULL  -- 1 or 0
);
CREATE TABLE accounts (  -- bank accounts
  account_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  bank TEXT NOT NULL,
  opening_balance NUMERIC NOT NULL,  -- on 2024-07-01, before any transaction
  current_balance NUMERIC NOT NULL  -- on 2026-03-31
);
CREATE TABLE transactions (
  transaction_id INTEGER PRIMARY KEY,
  transaction_date TEXT NOT NULL,
  account_id INTEGER NOT NULL REFERENCES accounts,
  -- rent, late fee, pet fee, security deposit received/returned/withheld, repairs, utilities, trash,
  -- cleaning, landscaping, snow removal, insurance, property tax, penalty, licenses and filings,
  -- inspections, professional fees, software, bank fees, interest income, loan payment,
  -- capital improvement, manager compensation, member distribution, property purchase,
  -- property sale, transfer
  category TEXT NOT NULL,
  amount NUMERIC NOT NULL,  -- positive is money in, negative is money out
  property_id INTEGER REFERENCES properties,  -- NULL for the company as a whole
  lease_id INTEGER REFERENCES leases,
  vendor_id INTEGER REFERENCES vendors,
  member_id INTEGER REFERENCES members,
  description TEXT NOT NULL
);
CREATE TABLE charges (  -- what tenants owe; paid ones name their transaction
  charge_id INTEGER PRIMARY KEY,
  lease_id INTEGER NOT NULL REFERENCES leases,
  kind TEXT NOT NULL,  -- rent, late fee
  due_date TEXT NOT NULL,
  amount NUMERIC NOT NULL,
  status TEXT NOT NULL,  -- paid, open, waived, written off
  paid_on TEXT,
  transaction_id INTEGER REFERENCES transactions
);
CREATE TABLE work_orders (
  work_order_id INTEGER PRIMARY KEY,
  property_id INTEGER NOT NULL REFERENCES properties,
  unit_id INTEGER REFERENCES units,  -- NULL for common areas
  trade TEXT NOT NULL,
  summary TEXT NOT NULL,
  priority TEXT NOT NULL,  -- routine, urgent, emergency
  opened_on TEXT NOT NULL,
  completed_on TEXT,  -- NULL while open
  vendor_id INTEGER REFERENCES vendors,
  cost NUMERIC,
  transaction_id INTEGER REFERENCES transactions
);
CREATE TABLE loans (
  loan_id INTEGER PRIMARY KEY,
  property_id INTEGER NOT NULL REFERENCES properties,
  lender TEXT NOT NULL,
  original_principal NUMERIC NOT NULL,
  annual_rate_percent REAL NOT NULL,
  originated_on TEXT NOT NULL,
  matures_on TEXT NOT NULL,
  monthly_payment NUMERIC NOT NULL,
  current_balance NUMERIC NOT NULL  -- on 2026-03-31
);
CREATE TABLE loan_payments (
  loan_payment_id INTEGER PRIMARY KEY,
  loan_id INTEGER NOT NULL REFERENCES loans,
  paid_on TEXT NOT NULL,
  principal NUMERIC NOT NULL,
  interest NUMERIC NOT NULL,
  balance_after NUMERIC NOT NULL,
  transaction_id INTEGER NOT NULL REFERENCES transactions
);
CREATE TABLE insurance_policies (
  policy_id INTEGER PRIMARY KEY,
  policy_number TEXT NOT NULL,
  insurer TEXT NOT NULL,
  coverage TEXT NOT NULL,
  property_id INTEGER REFERENCES properties,  -- NULL for all properties
  coverage_limit NUMERIC NOT NULL,
  deductible NUMERIC NOT NULL,
  annual_premium NUMERIC NOT NULL,
  effective_on TEXT NOT NULL,
  expires_on TEXT NOT NULL
);
CREATE TABLE obligations (  -- what has to be done by a day: taxes, filings, inspections, premiums
  obligation_id INTEGER PRIMARY KEY,
  property_id INTEGER REFERENCES properties,
  kind TEXT NOT NULL,  -- property tax, insurance, filing, license, inspection, correction, loan
  title TEXT NOT NULL,
  due_date TEXT NOT NULL,
  amount NUMERIC,
  completed_on TEXT,
  status TEXT NOT NULL  -- done, open, overdue
);
CREATE TABLE documents (  -- the files in the folder of documents
  document_id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  kind TEXT NOT NULL,
  document_date TEXT NOT NULL,
  property_id INTEGER REFERENCES properties,
  status TEXT NOT NULL  -- final, draft, superseded
);
