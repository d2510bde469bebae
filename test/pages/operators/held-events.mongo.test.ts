// The events of held streams on the operators' page: what identifies them, a bounded number, and never their contents.
import { HELD_EVENTS_MAX, readHeldEvents } from '../../../src/projector/operate/held-events.ts';
import { systemStatus } from '../../../src/projector/operate/system-status.ts';
import { test } from '../../helpers/file-test.ts';
import { useMongo } from '../../helpers/mongo.ts';
import { payee } from '../../model/scene.ts';
import { CREATED, eventMaker } from '../../projections/story.ts';
import { startManagementScene } from './management-scene.ts';

const mongo = useMongo(test);

test('the first events of a queue are read with ids, types and times, and without contents', async t => {
  const here = await startManagementScene(mongo);
  t.teardown(() => here.stop());
  const eventOf = eventMaker('budget-1');
  const [created, first] = [eventOf(CREATED), eventOf(payee('p', 'Private name'))];
  const events = [
    eventOf(payee('p', 'Private again')),
    { ...eventOf(payee('large', 'x')), data: { payeeId: 'large', name: 'Private'.repeat(10_000) } },
    { ...eventOf(payee('odd')), type: 'Private <b>text</b>' },
    { ...eventOf(payee('bad')), time: 'Private time' },
    ...[1, 2, 3, 4].map(number => eventOf(payee(`q-${number}`, 'Private'))),
  ];
  const early = eventMaker('budget-2')(CREATED, { sequence: 4 });
  await here.append([created, first, ...events, early]);
  here.watch();
  here.project();
  const page = await here.page(
    /First events waiting in budget-1/,
    /8 waiting/,
    /First events waiting in budget-2/,
    /3 more wait behind them/,
  );
  t.notRegex(page, /Private/);
  t.regex(page, /<code>budget.created<\/code>/);
  const status = await systemStatus(here.readModel, here.eventLog, new Date());
  const held = (await readHeldEvents(here.readModel, status)).get('g1');
  const shown = held?.get('budget-1') ?? [];
  t.is(shown.length, HELD_EVENTS_MAX);
  t.deepEqual(
    shown.map(({ sequence, id, type }) => [sequence, id, type]),
    [
      [3, events[0]?.id, 'payee.added'],
      // Too large to be loaded.
      [4, events[1]?.id, null],
      [5, events[2]?.id, null],
      [6, events[3]?.id, 'payee.added'],
      [7, events[4]?.id, 'payee.added'],
    ] as never,
  );
  t.is(shown[0]?.time, events[0]?.time);
  t.not(shown[3]?.time, 'Private time');
  t.deepEqual(
    held?.get('budget-2')?.map(({ sequence }) => sequence),
    [4],
  );
});
