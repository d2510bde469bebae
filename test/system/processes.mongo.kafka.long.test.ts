// Two projectors and two readers as processes of the real command line; each of them may die at any time.
import { setTimeout as sleep } from 'node:timers/promises';
import anyTest, { type ExecutionContext } from 'ava';
import { readRegistry } from '../../src/store/registry.ts';
import { caughtUp, differences, projectFromScratch } from '../chaos/fresh-projection.ts';
import type { Started } from '../commands/started.ts';
import { deleteRecords, kafkaTest } from '../helpers/kafka.ts';
import { useKafkaAndMongo } from '../helpers/kafka-and-mongo.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { createRandom } from '../histories/random.ts';
import { askUntilAvailable, createPatience } from '../http/ask-again.ts';
import { payee, timeOf } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { addressOf, type KafkaSystem, kafkaSystem, until } from './kafka-system.ts';

const servers = useKafkaAndMongo(anyTest);
const test = kafkaTest(anyTest);

const SEED = 5;
const KILLS = 10;
const WAIT_MS = 400_000;

interface Slot {
  readonly command: 'project' | 'serve';
  started: Started;
  /** The address of the API; null without one. */
  address: string | null;
}

test.serial(
  'events are neither lost nor doubled, and reads continue, while two projectors and two readers are killed in turn',
  async t => {
    const random = createRandom(SEED);
    const system = await kafkaSystem(t, { ...servers(), partitions: 4 });
    const slots = await Promise.all(
      (['project', 'project', 'serve', 'serve'] as const).map(command => begin(system, command)),
    );
    const history = eventsOf(
      randomHistory({
        seed: SEED,
        events: 4000,
        budgets: 8,
        spaces: 2,
        users: 2,
        disorderShare: 0.01,
        duplicateShare: 0.02,
      }),
    );
    const step = Math.ceil(history.length / KILLS);
    const visiting = new AbortController();
    const seen = { answers: 0 };
    const { signal } = visiting;
    const visits = visit(t, system, { budget: lasting(history), slots, seen, signal });
    for (let kill = 0; kill < KILLS; kill += 1) {
      await system.append(history.slice(kill * step, (kill + 1) * step));
      await sleep(random.between(0, 600));
      const slot = slots[kill % slots.length] as Slot;
      slot.address = null;
      slot.started.child.kill('SIGKILL');
      Object.assign(slot, await begin(system, slot.command));
    }
    await caughtUp(system.collections, system.eventLog, WAIT_MS);
    // Groups may have formed late, and then the budget has just appeared.
    while (seen.answers <= KILLS) await sleep(100);
    visiting.abort();
    await visits;
    const verified = await system.run('verify');
    t.is(verified.code, 0, verified.out + verified.err);
    const fresh = await projectFromScratch(servers().mongo.database('afresh'), system.eventLog);
    const { documents, named } = await differences(system.collections, fresh);
    t.deepEqual(named, []);
    t.true(documents > 1000, `only ${documents} documents were compared`);
    for (const { started } of slots) started.child.kill('SIGTERM');
    const ends = await Promise.all(slots.map(({ started }) => started.ended));
    t.deepEqual(
      ends.map(({ code }) => code),
      [0, 0, 0, 0],
    );
  },
);

async function begin(system: KafkaSystem, command: Slot['command']): Promise<Slot> {
  const started = system.start(command);
  if (command === 'serve')
    return { command, started, address: await addressOf(started, 'Read API') };
  await addressOf(started, 'Operators');
  return { command, started, address: null };
}

/** Returns a budget that its user reaches and that is not deleted. */
function lasting(history: readonly LogEvent[]): string {
  const gone = history
    .filter(({ type }) => type === 'budget.deleted')
    .map(({ subject }) => subject);
  const found = history.find(({ type, subject, data }) => {
    const { spaceId } = (data ?? {}) as { spaceId?: string };
    return type === 'budget.created' && spaceId !== 'space-nowhere' && !gone.includes(subject);
  });
  if (!found) throw new Error('Expected a budget that lasts');
  return found.subject;
}

interface Visit {
  readonly budget: string;
  readonly slots: readonly Slot[];
  readonly seen: { answers: number };
  readonly signal: AbortSignal;
}

/** Reads a budget continuously, like a client of two readers, and counts the answers with a position. */
async function visit(
  t: ExecutionContext,
  { token }: KafkaSystem,
  { budget, slots, seen, signal }: Visit,
): Promise<void> {
  const isPaused = createPatience();
  let position = 0;
  for (let turn = 0; !signal.aborted; turn += 1) {
    const addresses = slots.flatMap(({ address }) => address ?? []);
    const address = addresses[turn % addresses.length];
    const path = `${address}/api/v1/accounts?budget_id=${budget}`;
    const asked = fetch(path, { headers: { authorization: `Bearer ${token}` } });
    const read = asked.then(async answer => ({ answer, text: await answer.text() }));
    const found = await read.catch(() => null);
    await sleep(20);
    // This reader was just killed; the other one answers.
    if (!found) continue;
    const { answer, text } = found;
    const paused = isPaused(address ?? '', answer, text);
    // No event is projected yet.
    if (paused || (answer.status !== 200 && position === 0)) continue;
    t.is(answer.status, 200, text);
    const next = Number(answer.headers.get('x-projection-position'));
    t.true(next >= position, `from ${position} back to ${next}`);
    position = next;
    seen.answers += 1;
  }
}

const BUDGETS = 50;
const LAST = 20;
const BAD = 'budget-7';

/** Fifty budgets of one space; the fifth event of one of them is invalid. */
function fiftyBudgets() {
  const spaceEvent = eventMaker('space-1');
  const space = [
    spaceEvent({ type: 'space.created', data: { name: 'Home' } }),
    spaceEvent({ type: 'space.member-added', data: { userId: 'user-1' } }),
  ];
  const budgets = Array.from({ length: BUDGETS }, (_, index) => {
    const subject = `budget-${index + 1}`;
    const eventOf = eventMaker(subject);
    return Array.from({ length: LAST }, (_, number) => {
      if (number === 0) return eventOf(CREATED);
      const isBad = subject === BAD && number === 4;
      return eventOf(payee(isBad ? 'payee-1' : `payee-${number}`));
    });
  });
  return [...space, ...budgets.flat()];
}

test.serial(
  'an invalid event in one of 50 budgets does not delay the others, and operators retry or skip it',
  async t => {
    const system = await kafkaSystem(t, { ...servers(), partitions: 2 });
    const reader = await addressOf(system.start('serve'), 'Read API');
    system.start('project');
    await system.append(fiftyBudgets());
    const ask = (budget: string, headers: Record<string, string> = {}) =>
      askUntilAvailable(() =>
        fetch(`${reader}/api/v1/payees?budget_id=${budget}`, {
          headers: { authorization: `Bearer ${system.token}`, ...headers },
        }),
      );
    const { heads } = system.collections;
    await until(async () => (await heads.countDocuments({ sequence: LAST })) === BUDGETS - 1);
    t.like(await heads.findOne({ _id: BAD }), {
      sequence: 4,
      held: { why: 'parked', queued: LAST - 4 },
    });
    const since = timeOf(5);
    await until(async () => (await ask(BAD)).status === 200);
    t.is((await ask(BAD)).headers.get('x-projection-parked-since'), since);
    const other = await ask('budget-8', {
      'x-projection-wait-for': String(LAST),
      'x-projection-wait-seconds': '10',
    });
    t.is(other.headers.get('x-projection-position'), String(LAST));
    t.is(other.headers.get('x-projection-parked-since'), null);

    const list = await system.run('parked', 'list');
    t.is(list.code, 0, list.err);
    t.regex(
      list.out,
      new RegExp(
        `^${BAD} is held after sequence 4 since ${since} \\(parked\\): The payee payee-1 is there already; event ${BAD}\\.5 \\(sequence 5, partition [01], offset \\d+\\); ${LAST - 4} events wait; budgeting parked retry ${BAD}, or budgeting parked skip --event=${BAD}\\.5 ${BAD}\n$`,
      ),
    );
    t.like(await system.run('parked', 'retry', BAD), { code: 0, out: list.out });
    t.is((await heads.findOne({ _id: BAD }))?.sequence, 4);
    const skipped = await system.run('parked', 'skip', `--event=${BAD}.5`, BAD);
    t.like(skipped, { code: 0, out: `${BAD} goes on at sequence ${LAST}\n` });
    t.like(await system.run('parked', 'list'), { code: 0, out: 'No stream is held\n' });
    const healed = await ask(BAD);
    t.is(healed.headers.get('x-projection-parked-since'), null);
    t.is(healed.headers.get('x-projection-position'), String(LAST));
    t.is(((await healed.json()) as { payees: unknown[] }).payees.length, LAST - 2);
    const verified = await system.run('verify');
    t.is(verified.code, 0, verified.out + verified.err);
  },
);

test.serial(
  'a topic truncated below the checkpoint is DATA_LOSS, in the log lines and the readiness of the process',
  async t => {
    const system = await kafkaSystem(t, { ...servers(), partitions: 2 });
    const events = fiftyBudgets();
    await system.append(events.slice(0, 500));
    const first = system.start('project');
    await until(async () => (await system.collections.checkpoints.countDocuments()) === 2);
    await caughtUp(system.collections, system.eventLog, WAIT_MS);
    // A build fails by itself if its log is damaged.
    const answers = async () =>
      (await readRegistry(servers().mongo.client.db('budgeting'))).active === 'g1';
    await until(answers);
    first.child.kill('SIGTERM');
    const end0 = await first.ended;
    t.is(end0.code, 0, end0.err.slice(-1500));
    const applied = (await system.eventLog.bounds(1)).end;
    await system.append(events.slice(500));
    await deleteRecords(servers().kafka.config, {
      topic: system.topic,
      partition: 1,
      before: applied + 3,
    });
    const { start, end } = await system.eventLog.bounds(1);

    const second = system.start('project');
    const operators = await addressOf(second, 'Operators');
    const whole = (await system.eventLog.bounds(0)).end;
    await until(
      async () => (await system.collections.checkpoints.findOne({ _id: 0 }))?.next === whole,
    );
    const message = `DATA_LOSS in topic ${system.topic}, partition 1: expected offset ${applied} next, but the log holds offsets ${start} to ${end - 1}`;
    await until(async () => second.errors().includes(message));
    t.is((await system.collections.checkpoints.findOne({ _id: 1 }))?.next, applied);
    let expected = '';
    await until(async () => {
      const ready = await fetch(`${operators}/readyz`);
      expected = await ready.text();
      return (
        ready.status === 503 && expected.includes('g1: partition 1 halted: DATA_LOSS in topic ')
      );
    });
    second.child.kill('SIGTERM');
    t.like(await second.ended, { code: 0 });
  },
);
