// The machine of a partition: every situation with every input, without a database. An input that a situation does not
// name is refused.
import test from 'ava';
import { step } from '../../src/projector/machine/machine.ts';
import { effectsText, INPUTS, machineOf, placeOf, SEEN, SITUATIONS } from './machine-scene.ts';

type Row = { readonly [I in keyof typeof INPUTS]?: string };

/** Where an input leads, if elsewhere, and after `>` what it makes the pipeline do. */
const TABLE: { readonly [S in keyof typeof SITUATIONS]: Row } = {
  idle: {
    batch: 'folding fold at 0 [] > fold',
    'next batch': '> answer 0',
    'large batch': 'folding turn at 0 [] > begin turn',
    'batch above a gap': '> answer 0',
    halt: 'halted at 0 []',
    leave: '> end turn, left',
  },
  committing: {
    batch: '> answer 1000',
    'next batch': 'folding fold at 1000 [alone sent] > fold upon unstored',
    'large batch': 'folding turn at 1000 [alone sent] > begin turn',
    'batch above a gap': '> answer 1000',
    stored: 'idle at 1000 [alone stored] > evict rows',
    'write failed': 'idle at 1000 [alone failed] > evict rows',
    halt: 'halted at 1000 [alone sent]',
    leave: 'committing store at 1000 [alone sent] > end turn',
  },
  sharing: {
    batch: '> answer 1000',
    'next batch': 'folding fold at 1000 open 1 [part sent] > fold upon unstored, unwatch idle',
    'large batch': 'folding turn at 1000 open 1 [part sent] > begin turn, unwatch idle',
    'batch above a gap': '> answer 1000',
    stored: 'sharing at 1000 open 1 [part stored]',
    'write failed': 'sharing at 1000 open 1 [part failed]',
    'idle too long': 'committing at 1000 [part sent, last waits] > take rest, unwatch idle',
    halt: 'halted at 1000 [part sent, last waits] > take rest, unwatch idle',
    leave: 'committing store at 1000 [part sent, last waits] > end turn, take rest, unwatch idle',
  },
  halted: {
    batch: '> answer halt',
    'next batch': '> answer halt',
    'large batch': '> answer halt',
    'batch above a gap': '> answer halt',
    leave: '> end turn, left',
  },
  lost: {
    batch: '> answer lost',
    'next batch': '> answer lost',
    'large batch': '> answer lost',
    'batch above a gap': '> answer lost',
    halt: 'halted at 0 []',
    leave: '> end turn, left',
  },
  leaving: {
    stored: 'idle at 1000 [] > left, evict rows',
    'write failed': 'idle checkpoint at 1000 [alone failed] > read checkpoint, evict rows',
    halt: 'halted store at 1000 [alone sent]',
  },
  'folding: turn': {
    'turn begun': 'folding fold at 0 [] > fold',
    failed: 'idle at 0 [] > reject, evict rows',
    'failed by a pause': 'folding resume at 0 [] > end turn, clear cache, wait for resume',
    halt: 'halted turn at 0 []',
  },
  'folding: fold': {
    'folded part': 'folding heartbeat at 1000 open 1 [part sent] > take rows, send part, end chunk',
    folded: 'folding heartbeat at 1000 [alone sent] > take chunk, send alone, end chunk',
    'needs store': '> fold again',
    'delivery broke': '> clear cache, fold again',
    'fold failed': 'folding back-off at 0 [] > clear cache, back off',
    'fold of too much': 'folding heartbeat at 0 [] > clear cache, cut chunk',
    halt: 'halted fold at 0 []',
  },
  'folding upon parts: fold': {
    'folded part':
      'folding heartbeat at 1000 open 2 [part sent, part waits] > take rows, end chunk',
    folded: 'folding heartbeat at 1000 [part sent, last waits] > take chunk, end chunk',
    'needs store': 'folding store at 1000 [part sent, last waits] > take rest',
    'delivery broke': 'folding store at 1000 open 1 [part sent]',
    'fold failed': 'folding store at 1000 open 1 [part sent]',
    'fold of too much': 'folding store at 1000 open 1 [part sent]',
    stored: 'folding fold at 1000 open 1 [part stored]',
    'write failed': 'folding fold at 1000 open 1 [part failed]',
    halt: 'halted fold at 1000 open 1 [part sent]',
  },
  'folding: room': {
    stored: 'folding heartbeat at 2000 [alone sent] > take chunk, send alone, end chunk',
    'write failed': 'folding checkpoint at 1000 [alone failed] > read checkpoint',
    halt: 'halted room at 1000 [alone sent]',
  },
  'folding: store': {
    stored: 'folding follow-up at 1000 [] > follow up',
    'write failed': 'folding checkpoint at 1000 [alone failed] > read checkpoint',
    halt: 'halted store at 1000 [alone sent]',
  },
  'folding: checkpoint': {
    'checkpoint before': 'folding back-off at 0 [] > clear cache, back off',
    'checkpoint after': 'folding follow-up at 1000 [] > clear cache, follow up',
    'checkpoint of a late commit': 'folding drain at 2000 [] > clear cache, drain held',
    'checkpoint within': 'folding drain at 500 [] > clear cache, drain held',
    'checkpoint of another': 'lost at 0 [] > clear cache, report loss, answer lost',
    failed: 'idle at 1000 [alone failed] > reject, evict rows',
    'failed by a pause':
      'folding resume at 1000 [alone failed] > end turn, clear cache, wait for resume',
    halt: 'halted checkpoint at 1000 [alone failed]',
  },
  'folding: drain': {
    'followed up': 'folding follow-up at 2000 [] > follow up',
    failed: 'idle at 2000 [] > reject, evict rows',
    'failed by a pause': 'folding resume at 2000 [] > end turn, clear cache, wait for resume',
    halt: 'halted drain at 2000 []',
  },
  'folding: drain within': {
    'followed up': 'folding back-off at 500 [] > back off',
    failed: 'idle at 500 [] > reject, evict rows',
    'failed by a pause': 'folding resume at 500 [] > end turn, clear cache, wait for resume',
    halt: 'halted drain at 500 []',
  },
  'folding: back-off': {
    'backed off': 'folding heartbeat at 0 [] > end chunk',
    failed: 'idle at 0 [] > reject, evict rows',
    'failed by a pause': 'folding resume at 0 [] > end turn, clear cache, wait for resume',
    halt: 'halted back-off at 0 []',
  },
  'folding: abort': {
    aborted: 'folding heartbeat at 0 [] > clear cache, end chunk',
    failed: 'sharing at 1000 open 1 [] > reject, watch idle',
    'failed by a pause':
      'folding resume at 1000 open 1 [] > end turn, clear cache, wait for resume',
    halt: 'halted abort at 1000 open 1 []',
  },
  'folding: follow-up': {
    'followed up': 'folding heartbeat at 1000 [] > end chunk',
    failed: 'idle at 1000 [] > reject, evict rows',
    'failed by a pause': 'folding resume at 1000 [] > end turn, clear cache, wait for resume',
    halt: 'halted follow-up at 1000 []',
  },
  'folding: heartbeat': {
    stored: 'folding heartbeat at 1000 [alone stored]',
    'write failed': 'folding heartbeat at 1000 [alone failed]',
    'heartbeat sent': 'committing at 1000 [alone sent] > answer 1000',
    failed: 'committing at 1000 [alone sent] > reject',
    'failed by a pause':
      'folding resume at 1000 [alone sent] > end turn, clear cache, wait for resume',
    halt: 'halted heartbeat at 1000 [alone sent]',
  },
  'folding: resume': {
    resumed: 'idle at 1000 [] > answer 1000, evict rows',
    failed: 'idle at 1000 [] > reject, evict rows',
    'failed by a pause': '> end turn, clear cache, wait for resume',
    halt: 'halted resume at 1000 []',
  },
  'folding: note': {
    'halt stored': 'halted at 0 [] > answer halt',
    failed: 'halted at 0 [] > reject',
    'failed by a pause': 'halted resume at 0 [] > end turn, clear cache, wait for resume',
  },
};

/** Inputs that may come at any time, because nobody waits for them; where a row does not name them, nothing happens. */
const ANY_TIME: readonly string[] = ['ready', 'idle too long', 'halt', 'leave'];

for (const [situation, row] of Object.entries<Row>(TABLE)) {
  test(situation, t => {
    for (const [name, event] of Object.entries(INPUTS)) {
      const expected = row[name as keyof typeof INPUTS];
      const before = machineOf(SITUATIONS[situation as keyof typeof SITUATIONS]);
      const run = () => step(before, { ...event, seen: SEEN });
      if (expected === undefined && !ANY_TIME.includes(name)) {
        t.throws(run, { message: /^Expected .*, got/ }, name);
        continue;
      }
      const place = placeOf(before);
      const [after, effects] = run();
      const to = placeOf(after) === place ? '' : placeOf(after);
      const done = effects.length > 0 ? `> ${effectsText(effects)}` : '';
      t.is(`${to} ${done}`.trim(), expected ?? '', name);
      t.is(placeOf(before), place, `${name}: the state before is unchanged`);
    }
  });
}
