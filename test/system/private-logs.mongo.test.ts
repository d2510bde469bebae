// Secrets, tokens, searches, names and memos never reach the logger (rules/running.md#private-logs), whatever goes wrong.
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECTIONS_VERSION } from '../../projections/version.ts';
import { requestBuild } from '../../src/generations/operate.ts';
import { createLogger } from '../../src/process/log.ts';
import { type GenerationCollections, generationCollections } from '../../src/store/collections.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { account, row } from '../model/scene.ts';
import { type ManagementScene, startManagementScene } from '../pages/operators/management-scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';

const MEMO = 'Flowers for Wilhelmina';
const PAYEE = 'Doctor Whisper';
const SEARCH = 'quiet divorce lawyer';
const ADDRESS = '203.0.113.77';
const JUNK_TOKEN = `service_pat_${'Zq9'.repeat(12)}`;
const PRIVATE = [
  MEMO,
  PAYEE,
  SEARCH,
  encodeURIComponent(SEARCH),
  SEARCH.replaceAll(' ', '+'),
  ADDRESS,
];

const mongo = useMongo(test);

/** A logger like that of the processes, which records every line at every level. */
function recordedLog() {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const until = async (pattern: RegExp) => {
    while (!lines.some(line => pattern.test(line))) await sleep(20);
  };
  return { log: createLogger('trace', stream), lines, until };
}

const paid = (number: number) => row(`t-${number}`, { accountId: 'a', memo: MEMO, payeeId: 'p' });
const eventOf = eventMaker('budget-1');
const spaceEventOf = eventMaker('space-1');

async function appendHistory(here: ManagementScene): Promise<void> {
  const payee = { type: 'payee.added', data: { payeeId: 'p', name: PAYEE } } as const;
  const badEventOf = eventMaker('budget-2');
  const bad = badEventOf(paid(1));
  await here.append([
    spaceEventOf({ type: 'space.created', data: { name: 'Home' } } as never),
    spaceEventOf({ type: 'space.member-added', data: { userId: 'anna' } } as never),
    ...[CREATED, account('a', true), payee, paid(1)].map(draft => eventOf(draft)),
    // Invalid by itself, with a memo instead of an amount, and earlier than its budget.
    { ...bad, data: { ...(bad.data as object), amount: MEMO } },
    badEventOf(paid(2)),
  ] as { subject: string }[]);
  const lines = [`{"memo": "${MEMO}", `, JSON.stringify({ memo: MEMO })];
  await here.eventLog.append(lines.map(value => ({ key: 'budget-3', value })));
}

async function askEverything(here: ManagementScene, origin: string): Promise<string[]> {
  const { token } = await here.tokens.issue({ owner: 'anna', name: PAYEE }, new Date());
  const search = encodeURIComponent(SEARCH);
  const ask = (path: string, authorization: string, more: object = {}) =>
    fetch(`${origin}${path}`, {
      redirect: 'manual',
      headers: { authorization, 'x-forwarded-for': ADDRESS, cookie: `session=${MEMO}`, ...more },
    });
  const paths = [
    `/api/v1/transactions?budget_id=budget-1&search=${search}`,
    `/api/v1/transactions?budget_id=budget-1&searches=${search}`,
    `/api/v1/transactions/${search}`,
    `/${search}?${search}`,
    `/settings/tokens?name=${search}`,
    `/settings/sign-in?link=${token}`,
  ];
  for (const path of paths) {
    for (const authorization of [`Bearer ${token}`, `Bearer ${JUNK_TOKEN}`, MEMO]) {
      await ask(path, authorization, {
        'x-projection-wait-for': search,
        'x-projection-wait-seconds': '0',
      });
    }
  }
  return [token, token.slice('service_pat_'.length), JUNK_TOKEN];
}

/** Creates a generation that differs from the log, so that its verification fails. */
async function failVerification(here: ManagementScene): Promise<void> {
  const { id } = await requestBuild(here.readModel, PROJECTIONS_VERSION);
  const [from, into] = ['g1', id].map(name => generationCollections(here.readModel, name)) as [
    GenerationCollections,
    GenerationCollections,
  ];
  for (const [name, collection] of Object.entries(from)) {
    const documents = await collection.find().toArray();
    if (documents.length > 0) await into[name as 'heads'].insertMany(documents as never);
  }
  await into.payees.updateMany({}, { $set: { name: `${PAYEE} and others` } });
}

test('a search, a token, a memo, a name and an address never reach a line of the logger', async t => {
  const { log: logger, lines, until } = recordedLog();
  const env = { TRUSTED_PROXIES: '1' };
  const here = await startManagementScene(mongo, { logger, env });
  t.teardown(() => here.stop());
  here.watch();
  await appendHistory(here);
  const first = here.project();
  await here.until(({ active }) => active === 'g1');
  const reader = await here.read();
  const tokens = await askEverything(here, reader.address);
  for (const path of ['/', `/?${encodeURIComponent(SEARCH)}`, '/metrics', '/readyz'])
    await here.ask(path);
  await first.stop();

  await failVerification(here);
  const second = here.project();
  await here.until(({ generations }) => generations.some(({ state }) => state === 'failed'));
  await second.stop();

  // The database refuses rows, and its error contains them.
  const validator = { nothing: { $exists: true } };
  await here.readModel.command({ collMod: 'g1_rows', validator });
  await here.append([eventOf(paid(3))]);
  const third = here.project();
  await until(/projector failed/);
  await t.throwsAsync(third.stop(), { message: /Document failed validation/ });

  const text = lines.join('');
  for (const secret of [...PRIVATE, ...tokens]) {
    t.false(text.includes(secret), `${secret} in ${lines.find(line => line.includes(secret))}`);
  }
  // The lines that must exist do exist.
  t.regex(text, /"msg":"request"/);
  t.regex(text, /Chunk applied/);
  t.regex(text, /"stream":"budget-1","differences":\d+,"msg":"Verification found differences"/);
  t.regex(text, /"type":"MongoServerError","message":"Document failed validation"/);

  // The same holds for the operators' page, which names held streams.
  const difference = /Verification found a difference: budget-1: payees\/p name</;
  const pages = (await here.page(/budget-2/, difference)) + (await here.ask('/metrics')).text;
  for (const secret of [...PRIVATE, ...tokens]) t.false(pages.includes(secret), secret);
});
