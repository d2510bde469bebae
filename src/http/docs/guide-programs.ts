// The guide's programs that are more than one request. Each is whole, and stops with the service's own words.

/** Returns an ES module that prints all transactions of a budget, page by page. */
export function pagingInJavaScript(api: string, limit: number): string {
  return `// all-transactions.mjs
const headers = { Authorization: \`Bearer \${process.env.TOKEN}\` };

async function get(address) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(address, { headers });
    const body = await response.json();
    if (response.ok) return body;
    const seconds = Number(response.headers.get('Retry-After'));
    if (seconds === 0 || attempt === 5) throw new Error(\`\${body.error.code}: \${body.error.message}\`);
    await new Promise(resolve => setTimeout(resolve, seconds * 1000));
  }
}

for (let offset = 0, more = true; more; offset += ${limit}) {
  const query = \`budget_id=household&limit=${limit}&offset=\${offset}\`;
  const { transactions, pagination } = await get(\`${api}/transactions?\${query}\`);
  for (const { date, amount, payeeName } of transactions) console.log(date, amount, payeeName ?? '');
  more = pagination.has_more;
}
`;
}

/** Returns the same for Python's standard library. */
export function pagingInPython(api: string, limit: number): string {
  return `# all_transactions.py
import json
import os
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}


def get(address):
    for attempt in range(1, 6):
        try:
            with urlopen(Request(address, headers=headers)) as response:
                return json.load(response)
        except HTTPError as error:
            if "Retry-After" not in error.headers or attempt == 5:
                raise SystemExit(error.read().decode())
            time.sleep(int(error.headers["Retry-After"]))


offset, more = 0, True
while more:
    query = f"budget_id=household&limit=${limit}&offset={offset}"
    page = get(f"${api}/transactions?{query}")
    for row in page["transactions"]:
        print(row["date"], row["amount"], row["payeeName"] or "")
    more = page["pagination"]["has_more"]
    offset += ${limit}
`;
}

/** Returns an ES module that keeps a copy of a budget in a file. */
export function syncInJavaScript(api: string): string {
  return `// sync.mjs
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const FILE = 'household.json';
const KINDS = {
  accounts: 'account',
  categoryGroups: 'categoryGroup',
  categories: 'category',
  payees: 'payee',
  labels: 'label',
  transactions: 'transaction',
};
const headers = { Authorization: \`Bearer \${process.env.TOKEN}\` };
let copy = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : { cursor: null, things: {} };

for (let more = true; more; ) {
  const place = copy.cursor === null ? '' : \`&cursor=\${encodeURIComponent(copy.cursor)}\`;
  const response = await fetch(\`${api}/changes?budget_id=household\${place}\`, { headers });
  const page = await response.json();
  if (page.error?.param === 'cursor') {
    copy = { cursor: null, things: {} };
    continue;
  }
  if (!response.ok) throw new Error(\`\${page.error.code}: \${page.error.message}\`);
  for (const { kind, id } of page.deleted) delete copy.things[\`\${kind} \${id}\`];
  for (const [list, kind] of Object.entries(KINDS)) {
    for (const thing of page[list]) copy.things[\`\${kind} \${thing.id}\`] = thing;
  }
  copy.cursor = page.cursor;
  writeFileSync(\`\${FILE}.new\`, JSON.stringify(copy));
  renameSync(\`\${FILE}.new\`, FILE);
  more = page.has_more;
}
`;
}

/** Returns the same for Python's standard library. */
export function syncInPython(api: string): string {
  return `# sync.py
import json
import os
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

FILE = "household.json"
KINDS = {
    "accounts": "account",
    "categoryGroups": "categoryGroup",
    "categories": "category",
    "payees": "payee",
    "labels": "label",
    "transactions": "transaction",
}
headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
copy = {"cursor": None, "things": {}}
if os.path.exists(FILE):
    with open(FILE) as file:
        copy = json.load(file)

more = True
while more:
    place = "" if copy["cursor"] is None else f"&cursor={quote(copy['cursor'], safe='')}"
    try:
        with urlopen(Request(f"${api}/changes?budget_id=household{place}", headers=headers)) as response:
            page = json.load(response)
    except HTTPError as error:
        problem = json.load(error)["error"]
        if problem["param"] != "cursor":
            raise SystemExit(f"{problem['code']}: {problem['message']}")
        copy = {"cursor": None, "things": {}}
        continue
    for gone in page["deleted"]:
        copy["things"].pop(f"{gone['kind']} {gone['id']}", None)
    for name, kind in KINDS.items():
        for thing in page[name]:
            copy["things"][f"{kind} {thing['id']}"] = thing
    copy["cursor"] = page["cursor"]
    with open(f"{FILE}.new", "w") as file:
        json.dump(copy, file)
    os.replace(f"{FILE}.new", FILE)
    more = page["has_more"]
`;
}
