// Other code of the process runs while a large import is checked: its lock's heartbeat, and Ctrl+C.
import { setImmediate } from 'node:timers';
import { parseLines } from '../../src/event-log/check-append.ts';
import { checkApplied, type ImportedEvent } from '../../src/import/import-events.ts';
import { test } from '../helpers/file-test.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';

/** Far more than one turn of 2 ms takes, and far less than one of a second. */
const EVENTS = 3000;
const eventOf = eventMaker('budget-1');
const events = [CREATED, ...Array.from({ length: EVENTS }, (_, index) => payee(`p${index}`))].map(
  draft => ({ event: eventOf(draft), origin: 'here' }) as ImportedEvent,
);

async function othersRunBeforeEnd(work: () => Promise<unknown>): Promise<boolean> {
  let haveRun = false;
  setImmediate(() => {
    haveRun = true;
  });
  await work();
  return haveRun;
}

test('others run while lines in memory are parsed', async t => {
  const lines = events.map(({ event }, index) => ({
    line: index + 1,
    bytes: Buffer.from(JSON.stringify(event)),
  }));
  t.true(await othersRunBeforeEnd(() => parseLines(lines)));
});

test('others run while the events of an import are applied in memory', async t => {
  t.true(await othersRunBeforeEnd(() => checkApplied(events)));
});
