// Every order of reading leads to the same heads, queues and quarantine; without a part of the rule, an order does not.
import test from 'ava';
import { partitionOf } from '../../src/event-log/partition-of.ts';
import { explore } from './explore.ts';
import { type Layout, placementModel, type Unmended } from './home.ts';

const PARTITIONS = 2;

/** Returns the words of two streams, those at their home before those elsewhere, as a layout of two partitions. */
function layoutOf(home: string, elsewhere: string): Layout {
  const at = partitionOf('a', PARTITIONS);
  return at === 0 ? [home, elsewhere] : [elsewhere, home];
}

const LAYOUTS: Readonly<Record<string, Layout>> = {
  'a copy of the first event elsewhere': layoutOf('a1 a2', 'a1 a2'),
  'a whole stream elsewhere, then published again': layoutOf('a1 a2 a3', 'a1 a2 a3'),
  'copies of later events elsewhere, and a gap': layoutOf('a1 a3 a2', 'a2 a3 a3'),
  'a stream elsewhere alone': layoutOf('', 'a1 a2'),
  'records that are no events': layoutOf('a a1 a a2', 'a a'),
  'keys that no event has': layoutOf('b a1 a c', 'b a c'),
};

for (const [name, layout] of Object.entries(LAYOUTS)) {
  test(`every order of reading leads to the same: ${name}`, t => {
    const { violation, quiescent } = explore(placementModel({ layout }));
    t.is(violation, null);
    t.is(quiescent, 1);
  });
}

const UNMENDED: Readonly<Record<Unmended, readonly string[]>> = {
  'the home': [
    'a copy of the first event elsewhere',
    'a whole stream elsewhere, then published again',
    'copies of later events elsewhere, and a gap',
  ],
  'no stream without an event': ['keys that no event has'],
};

for (const [without, names] of Object.entries(UNMENDED)) {
  for (const name of names) {
    test(`without ${without} the model finds a fault: ${name}`, t => {
      const layout = LAYOUTS[name] ?? [];
      const { violation } = explore(placementModel({ layout, without: without as Unmended }));
      t.not(violation, null);
    });
  }
}
