"""The rules every version of the business keeps."""

import sys

from make.facts import DOCUMENTS

# Each of these must find nothing.
AUDIT = {
    "a paid charge without a payment of its amount and day": """
        SELECT * FROM charges c LEFT JOIN transactions t USING (transaction_id) WHERE c.status = 'paid'
        AND (t.amount IS NOT c.amount OR t.transaction_date IS NOT c.paid_on OR t.lease_id IS NOT
        c.lease_id OR t.category IS NOT c.kind)""",
    "a payment of rent or a late fee without its charge": """
        SELECT * FROM transactions WHERE category IN ('rent', 'late fee') AND transaction_id NOT IN
        (SELECT transaction_id FROM charges WHERE transaction_id IS NOT NULL)""",
    "a charge that is not paid and names a payment": """
        SELECT * FROM charges WHERE status <> 'paid' AND (paid_on IS NOT NULL OR transaction_id IS NOT
        NULL)""",
    "rent that is not the rent of its lease": """
        SELECT * FROM charges c JOIN leases l USING (lease_id) WHERE kind = 'rent' AND amount <>
        monthly_rent""",
    "rent outside its lease": """
        SELECT * FROM charges JOIN leases USING (lease_id) WHERE kind = 'rent' AND due_date NOT BETWEEN
        start_date AND coalesce(terminated_on, end_date)""",
    "a month of a lease without rent": """
        WITH RECURSIVE months(first) AS (SELECT '2024-07-01' UNION ALL SELECT date(first, '+1 month')
        FROM months WHERE first < '2026-03-01') SELECT * FROM months JOIN leases l ON first BETWEEN
        start_date AND coalesce(terminated_on, end_date) JOIN units USING (unit_id) JOIN properties
        USING (property_id) WHERE first >= purchased_on AND NOT EXISTS (SELECT 1 FROM charges c WHERE
        c.lease_id = l.lease_id AND kind = 'rent' AND due_date = first)""",
    "a month of rent charged twice": """
        SELECT lease_id, due_date FROM charges WHERE kind = 'rent' GROUP BY 1, 2 HAVING COUNT(*) > 1""",
    "rent paid late or not at all without a late fee": """
        SELECT * FROM charges r JOIN leases USING (lease_id) WHERE kind = 'rent' AND (paid_on IS NULL OR
        julianday(paid_on) - julianday(due_date) > grace_days) AND NOT EXISTS (SELECT 1 FROM charges f
        WHERE f.lease_id = r.lease_id AND f.kind = 'late fee' AND substr(f.due_date, 1, 7) =
        substr(r.due_date, 1, 7))""",
    "a late fee without late rent": """
        SELECT * FROM charges f JOIN leases USING (lease_id) WHERE kind = 'late fee' AND (f.amount <>
        late_fee OR NOT EXISTS (SELECT 1 FROM charges r WHERE r.lease_id = f.lease_id AND r.kind =
        'rent' AND substr(f.due_date, 1, 7) = substr(r.due_date, 1, 7) AND (r.paid_on IS NULL OR
        julianday(r.paid_on) - julianday(r.due_date) > grace_days)))""",
    "two leases of a unit at once": """
        SELECT * FROM leases a JOIN leases b ON a.unit_id = b.unit_id AND a.lease_id < b.lease_id AND
        a.start_date <= coalesce(b.terminated_on, b.end_date) AND b.start_date <=
        coalesce(a.terminated_on, a.end_date)""",
    "an account whose balance does not add up": """
        SELECT * FROM accounts a WHERE round(opening_balance + (SELECT SUM(amount) FROM transactions t
        WHERE t.account_id = a.account_id) - current_balance, 2) <> 0""",
    "an account that was ever overdrawn": """
        SELECT * FROM (SELECT account_id, opening_balance + SUM(amount) OVER (PARTITION BY account_id
        ORDER BY transaction_date) AS balance FROM transactions JOIN accounts USING (account_id)) WHERE
        balance < 0""",
    "deposits held that are not those of the tenants": """
        SELECT 1 FROM accounts WHERE name = 'Security deposits' AND current_balance <> (SELECT
        SUM(security_deposit) FROM leases WHERE status = 'active')""",
    "a loan whose payments do not add up": """
        SELECT * FROM loan_payments p JOIN loans l USING (loan_id) JOIN transactions t USING
        (transaction_id) WHERE round(principal + interest - monthly_payment, 2) <> 0 OR amount <>
        -monthly_payment OR transaction_date <> paid_on""",
    "a loan whose balance is not that after its last payment": """
        SELECT * FROM loans l WHERE current_balance <> (SELECT balance_after FROM loan_payments p WHERE
        p.loan_id = l.loan_id ORDER BY paid_on DESC LIMIT 1)""",
    "a work order whose payment differs": """
        SELECT * FROM work_orders w JOIN transactions t USING (transaction_id) WHERE cost <> -amount OR
        t.vendor_id <> w.vendor_id OR transaction_date < completed_on""",
    "a distribution that does not follow the shares": """
        SELECT * FROM transactions t JOIN members USING (member_id) WHERE category =
        'member distribution' AND amount * 100 <> ownership_percent * (SELECT SUM(amount) FROM
        transactions o WHERE o.category = t.category AND o.transaction_date = t.transaction_date)""",
    "shares that are not a whole": """
        SELECT 1 WHERE (SELECT SUM(ownership_percent) FROM members) <> 100""",
    "a transaction outside the books": """
        SELECT * FROM transactions WHERE transaction_date NOT BETWEEN '2024-07-01' AND '2026-03-31' OR
        transaction_date IS NOT date(transaction_date)""",
    "an obligation whose status is not that of its dates": """
        SELECT * FROM obligations WHERE status <> CASE WHEN completed_on IS NOT NULL THEN 'done' WHEN
        due_date < '2026-03-31' THEN 'overdue' ELSE 'open' END""",
}


def audit(database, folder):
    """Refuses a business that contradicts itself, or names a document the folder does not hold."""
    missing = database.execute("PRAGMA foreign_key_check")
    faults = [f"{table} {row} names a row of {parent} that is not there" for table, row, parent, _ in missing]
    for fault, query in AUDIT.items():
        faults += [f"{fault}: {row}" for row in database.execute(query)]
    faults += [f"no document {path}" for path, *_ in DOCUMENTS if not (folder / path).is_file()]
    if faults:
        sys.exit("\n".join(faults))
