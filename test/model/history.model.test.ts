// Random histories and the model: labels, schemas, and that the way of delivery does not matter.
import test from 'ava';
import { decode } from '../../src/event-log/decode.ts';
import { interleave, outOfOrder, splitIntoChunks, withRepeats } from '../histories/delivery.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { HISTORY_TODAY } from '../histories/live-budget.ts';
import { createModel, type Model } from './model.ts';
import { played } from './played.ts';

const SEEDS = Array.from({ length: 40 }, (_, index) => index + 1);
const SIZE = { events: 250, budgets: 2, spaces: 2, users: 3, wildNames: true };

function everythingOf(model: Model) {
  return ['user-1', 'user-2', 'user-3'].map(user => {
    const answers = model.answers(user, { today: HISTORY_TODAY });
    return {
      budgets: answers.budgets(),
      each: ['budget-1', 'budget-2'].map(id => [
        answers.accounts(id),
        answers.transactions(id),
        answers.categories(id, { include_hidden: true }),
        answers.payees(id),
        answers.labels(id),
        answers.month(id, '2025-06'),
        answers.position(id),
        answers.parkedSince(id),
      ]),
    };
  });
}

test('the same seed gives the same history', t => {
  const options = { ...SIZE, seed: 7, invalidShare: 0.1, disorderShare: 0.1, duplicateShare: 0.1 };
  t.deepEqual(randomHistory(options), randomHistory(options));
  t.notDeepEqual(randomHistory(options), randomHistory({ ...options, seed: 8 }));
});

test('the schemas accept every event except those marked as refused', t => {
  for (const seed of SEEDS) {
    for (const entry of randomHistory({ ...SIZE, seed, invalidShare: 0.1 })) {
      const { event, isSchemaValid, label } = entry;
      const decoded = decode(JSON.stringify(event), event.subject);
      const isTaken = decoded.kind !== 'invalid' || decoded.problem === 'version';
      if (isTaken !== isSchemaValid) t.fail(`${label}: ${JSON.stringify({ decoded, event })}`);
    }
  }
  t.pass();
});

test('sequences have no gaps, and ids are unique', t => {
  const history = randomHistory({ ...SIZE, seed: 9, events: 600 });
  const last = new Map<string, number>();
  for (const { subject, sequence } of eventsOf(history)) {
    t.is(sequence, (last.get(subject) ?? 0) + 1);
    last.set(subject, sequence);
  }
  t.is(new Set(eventsOf(history).map(({ id }) => id)).size, history.length);
});

test('the model refuses exactly the events that the history marks as invalid, with the same reason', t => {
  const labels = new Set<string>();
  for (const seed of SEEDS) {
    const model = createModel();
    for (const entry of randomHistory({ ...SIZE, seed, invalidShare: 0.15 })) {
      const { event, label, isSchemaValid } = entry;
      const outcome = model.deliver(event, { schemaValid: isSchemaValid });
      const held = model.held().find(({ subject }) => subject === event.subject);
      const verdict = outcome === 'dropped' ? 'after-deletion' : (held?.refusal ?? null);
      if (verdict !== label) t.fail(`${label} became ${verdict}: ${JSON.stringify(event)}`);
      if (label !== null) labels.add(label);
      model.skip(event.subject);
    }
    t.deepEqual(model.held(), []);
  }
  t.is(labels.size, 26);
});

test('repeats and mixed streams change nothing', t => {
  for (const seed of SEEDS.slice(0, 12)) {
    const history = randomHistory({ ...SIZE, seed, invalidShare: 0.03 });
    const expected = everythingOf(played(history));
    t.deepEqual(everythingOf(played(withRepeats(history, seed))), expected);
    const subjects = [...new Set(history.map(({ event }) => event.subject))];
    const streams = subjects.map(id => history.filter(({ event }) => event.subject === id));
    t.deepEqual(everythingOf(played(interleave(streams, seed + 1))), expected);
  }
});

test('a history out of order ends in the same state', t => {
  let gaps = 0;
  for (const seed of SEEDS.slice(0, 12)) {
    const history = randomHistory({ ...SIZE, seed });
    const subjects = [...new Set(history.map(({ event }) => event.subject))];
    const disordered = subjects.flatMap(id =>
      outOfOrder(
        history.filter(({ event }) => event.subject === id),
        seed,
        0.2,
      ),
    );
    // A deletion takes effect before the events that it overtook; such a budget ends in the same state too.
    t.deepEqual(everythingOf(played(disordered)), everythingOf(played(history)));
    const model = createModel();
    for (const { event } of disordered) {
      model.deliver(event);
      gaps += model.held().length;
    }
  }
  t.true(gaps > 100);
});

test('chunks contain the whole list in order', t => {
  const events = eventsOf(randomHistory({ ...SIZE, seed: 3 }));
  const chunks = splitIntoChunks(events, 3, 20);
  t.deepEqual(chunks.flat(), events);
  t.true(chunks.every(({ length }) => length >= 1 && length <= 20));
});
