// The feed of positions: rounds of reading shared by all users, outages, breaks of the change stream.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { DatabaseTimeoutError } from '../../../src/store/database-errors.ts';
import { createPositionFeed, type PositionFeed } from '../../../src/store/reading/position-feed.ts';
import {
  createPositionWatcher,
  type Follower,
} from '../../../src/store/reading/position-watcher.ts';
import type { PositionChange } from '../../../src/store/reading/reach-state.ts';
import { eventually } from '../../helpers/eventually.ts';
import { test } from '../../helpers/file-test.ts';
import { useMongo } from '../../helpers/mongo.ts';
import { createReadModel } from '../../helpers/read-model.ts';
import { memoryLog } from '../../http/memory-log.ts';
import { budget, space, steps } from '../../model/scene.ts';

const mongo = useMongo(test);

interface Given {
  readonly admit?: () => Promise<void>;
  readonly watcher?: Parameters<typeof createPositionFeed>[0]['watcher'];
}

function feedOf(db: Db, { admit = async () => {}, watcher }: Given = {}) {
  const { logger, lines } = memoryLog();
  const own = createPositionWatcher(db, logger);
  const feed = createPositionFeed({
    db,
    watcher: watcher ?? own,
    logger,
    admit,
    queryMsMax: 5000,
    roundMsMax: 8000,
  });
  return { feed: { follow: patient(feed.follow) }, lines, stop: () => own.stop() };
}

/** Asks again where a busy database was too slow for a reader, as its clients do. */
function patient(follow: PositionFeed['follow']): PositionFeed['follow'] {
  return async (owner, listener) => {
    for (;;) {
      try {
        return await follow(owner, listener);
      } catch (error) {
        if (!(error instanceof DatabaseTimeoutError)) throw error;
      }
    }
  };
}

/** Fills an empty database: Anna and Ben share b1 of s1. */
async function fill(db: Db) {
  const model = await createReadModel(db);
  await model.activate();
  await model.project('s1', ...space(['anna', 'ben']));
  await model.project('b1', budget('s1'), ...steps(2));
  return model;
}

/** A watcher that tells what the test wants, and counts who follows. */
function manualWatcher() {
  const followers = new Set<Follower>();
  return {
    followers,
    missed: () => {
      for (const follower of followers) follower(null);
    },
    watcher: {
      follow(follower: Follower) {
        followers.add(follower);
        return () => void followers.delete(follower);
      },
    },
  };
}

function collect() {
  const received: PositionChange[] = [];
  return {
    told: received,
    tell: (changes: readonly PositionChange[]) => void received.push(...changes),
  };
}

test('each user gets everything first, then what changes; after stop nothing', async t => {
  const db = mongo.database('feed_tells');
  const model = await fill(db);
  const { feed, stop } = feedOf(db);
  t.teardown(stop);
  const [anna, again, carl] = [collect(), collect(), collect()];
  const stopAnna = await feed.follow('anna', anna.tell);
  const stopAgain = await feed.follow('anna', again.tell);
  await feed.follow('carl', carl.tell);
  t.deepEqual(anna.told, [{ budgetId: 'b1', position: 3 }]);
  t.deepEqual(again.told, anna.told);
  stopAnna?.();
  await model.project('b1', ...steps(1));
  await eventually(t, async tried => {
    tried.deepEqual(again.told.at(-1), { budgetId: 'b1', position: 4 });
  });
  stopAgain?.();
  await model.project('b1', ...steps(1));
  await model.project('s2', ...space(['carl']));
  await model.project('b2', budget('s2'));
  await eventually(t, async tried => {
    tried.deepEqual(carl.told, [{ budgetId: 'b2', position: 1 }]);
  });
  t.is(anna.told.length, 1);
  t.is(again.told.length, 2);
});

test('who comes while others are read is not lost when one of them stops', async t => {
  const db = mongo.database('feed_joins');
  await fill(db);
  const { watcher, followers } = manualWatcher();
  const { feed } = feedOf(db, { watcher });
  const first = collect();
  const stopFirst = await feed.follow('anna', first.tell);
  const second = collect();
  const joining = feed.follow('anna', second.tell);
  // Its round of reading has begun.
  stopFirst?.();
  const stopSecond = await joining;
  t.deepEqual(second.told, [{ budgetId: 'b1', position: 3 }]);
  t.is(followers.size, 1);
  stopSecond?.();
  t.is(followers.size, 0, 'nobody needs the change stream');
});

test('many users at once are read in few rounds', async t => {
  const db = mongo.database('feed_many');
  const model = await fill(db);
  const users = Array.from({ length: 1200 }, (_, index) => `user-${index}`);
  await model.project('s2', ...space(users.slice(0, 100)));
  await model.project('b2', budget('s2'));
  let rounds = 0;
  const { feed, stop } = feedOf(db, {
    admit: async () => {
      rounds += 1;
    },
  });
  t.teardown(stop);
  const collected = users.map(() => collect());
  const stops = await Promise.all(
    users.map((user, index) => feed.follow(user, collected[index]?.tell ?? (() => {}))),
  );
  // The change stream opens meanwhile, which makes everybody stale.
  t.true(rounds <= 10, `${rounds} rounds`);
  t.is(collected.filter(({ told: received }) => received.length > 0).length, 100);
  for (const end of stops) end?.();
});

test('while tokens cannot be checked nothing is sent; afterwards the newest position', async t => {
  const db = mongo.database('feed_away');
  const model = await fill(db);
  const { watcher, missed, followers } = manualWatcher();
  let isAway = false;
  const admit = async () => {
    if (isAway) throw new Error('away');
  };
  const { feed, lines } = feedOf(db, { admit, watcher });
  const anna = collect();
  const stop = await feed.follow('anna', anna.tell);
  isAway = true;
  await model.project('b1', ...steps(1));
  missed();
  await t.throwsAsync(
    feed.follow('ben', () => {}),
    { message: 'away' },
  );
  await model.project('b1', ...steps(1));
  t.is(anna.told.length, 1);
  isAway = false;
  await eventually(t, async tried => {
    tried.deepEqual(anna.told.slice(1), [{ budgetId: 'b1', position: 5 }]);
  });
  t.true(lines.some(({ msg }) => msg === 'positions not read, retrying'));
  const ben = collect();
  const stopBen = await feed.follow('ben', ben.tell);
  t.deepEqual(ben.told, [{ budgetId: 'b1', position: 5 }]);
  isAway = true;
  missed();
  stop?.();
  stopBen?.();
  t.is(followers.size, 0);
});

test('after a break of the change stream nothing is missed', async t => {
  const db = mongo.database('feed_break');
  await fill(db);
  const { feed, stop } = feedOf(db);
  t.teardown(stop);
  const anna = collect();
  await feed.follow('anna', anna.tell);
  // A dropped database ends its change streams.
  await db.dropDatabase();
  const model = await fill(db);
  await model.project('b1', ...steps(4));
  await model.project('b2', budget('s1'));
  await eventually(t, async tried => {
    tried.deepEqual(anna.told.at(-1), { budgetId: 'b2', position: 1 });
    tried.true(anna.told.some(({ budgetId, position }) => budgetId === 'b1' && position === 7));
  });
});

test('without a generation: null, and nothing is followed', async t => {
  const db = mongo.database('feed_empty');
  const { watcher, followers } = manualWatcher();
  const { feed } = feedOf(db, { watcher });
  t.is(await feed.follow('anna', () => {}), null);
  await sleep(10);
  t.is(followers.size, 0);
  await fill(db);
  const anna = collect();
  await feed.follow('anna', anna.tell);
  t.is(anna.told.length, 1);
});
