// What a client gains that sends the ETag it has.
import type { Figure } from '../bench.ts';
import { load } from '../load.ts';
import { alternate, type Measured } from '../measured.ts';
import { CONNECTIONS } from './transactions.ts';

const QUESTION = '/transactions?budget_id=thousand';

export const matchingEtag: Figure = {
  name: 'etag',
  async measure(bench) {
    const world = await bench.world();
    await world.budget('thousand', 1000);
    const without = world.asked(QUESTION);
    const { headers } = await fetch(without.url, { headers: without.headers ?? {} });
    const tag = headers.get('etag') ?? '';
    const having = { ...world.asked(QUESTION, { 'If-None-Match': tag }), status: 304 };
    const rounds = await alternate(
      bench.sizes.rounds,
      () => load(without, CONNECTIONS, bench.sizes.loadMs),
      () => load(having, CONNECTIONS, bench.sizes.loadMs),
    );
    const measured: Measured = {
      what: 'GET /transactions with a matching ETag',
      against: 'the same without, 1000 rows',
      unit: 'requests/s',
      rounds,
      goal: { ratio: { atLeast: 3 } },
    };
    return [measured];
  },
};
