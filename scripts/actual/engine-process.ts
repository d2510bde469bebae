// Actual Budget's own engine in a process of its own: it changes globals and prints. Requests and replies go over IPC.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createRandom } from '../../src/process/random.ts';
import type { Reply, Request } from './engine-messages.ts';

/** Milliseconds that pass each time the engine reads the clock: the same requests see the same times. */
const TICK_MS = 1;
const RealDate = Date;
let nowMs = 0;
let random = createRandom(0);

type Call = (...args: readonly unknown[]) => unknown;

/** Makes time and ids repeat themselves from here on. */
function begin(seed: unknown, now: unknown): void {
  random = createRandom(Number(seed));
  nowMs = RealDate.parse(String(now));
}

function replaceClock(): void {
  const now = () => {
    nowMs += TICK_MS;
    return nowMs;
  };
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, made) =>
      Reflect.construct(target, args.length > 0 ? args : [now()], made),
    apply: () => new RealDate(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
}

function replaceRandomness(): void {
  Math.random = () => random.next();
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => random.below(16).toString(16)).join('');
  const randomUUID = () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
  Object.defineProperty(globalThis.crypto, 'randomUUID', { value: randomUUID });
}

/** Returns the functions of the API, and some that a caller in another process could not use or reach. */
async function open(folder: string, dataDir: string): Promise<ReadonlyMap<string, Call>> {
  const api = functionsOf(createRequire(join(folder, 'package.json'))('@actual-app/api'));
  const call = (name: string, ...args: readonly unknown[]) => {
    const found = api.get(name);
    if (found === undefined) throw new Error(`Expected @actual-app/api to have ${name}`);
    return found(...args);
  };
  const internal = functionsOf(await call('init', { dataDir }));
  const send = internal.get('send');
  if (send === undefined) throw new Error('Expected @actual-app/api to offer its inner handlers');
  const createBudget = (name: unknown) => call('runImport', name, async () => {});
  return new Map([...api, ['begin', begin], ['createBudget', createBudget], ['send', send]]);
}

function functionsOf(value: unknown): Map<string, Call> {
  const isFunction = (entry: [string, unknown]): entry is [string, Call] =>
    typeof entry[1] === 'function';
  return new Map(Object.entries(Object(value)).filter(isFunction));
}

async function answer(calls: ReadonlyMap<string, Call>, request: Request): Promise<Reply> {
  const { id, name, args } = request;
  try {
    const call = calls.get(name);
    if (call === undefined) throw new Error('the engine has no such function');
    return { id, value: await call(...args) };
  } catch (error) {
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

const [folder = '', dataDir = ''] = process.argv.slice(2);
replaceClock();
replaceRandomness();
const calls = await open(folder, dataDir);
process.on('message', async (request: Request) => {
  process.send?.(await answer(calls, request));
});
process.on('disconnect', () => process.exit());
process.send?.({ id: 0, value: null } satisfies Reply);
