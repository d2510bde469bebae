// Answers per second to a client that sends a matching ETag, in proportion to one that sends none.
import type { BenchFigure } from '../bench.ts';
import { compareLoad } from '../compare.ts';
import type { Measured } from '../measured.ts';
import { untilDay } from '../world.ts';

const QUESTION = '/transactions?budget_id=thousand';

export const matchingEtagFigure: BenchFigure = {
  name: 'etag',
  async measure(bench) {
    const world = await bench.world();
    await world.budget('thousand', 1000);
    const { url, headers: sent = {} } = world.asked(QUESTION);
    const { headers } = await fetch(String(url), { headers: sent });
    const newPages = world.newQuestions(count => QUESTION + untilDay(count));
    const tag = headers.get('etag') ?? '';
    const having = { ...world.asked(QUESTION, { 'If-None-Match': tag }), status: 304 };
    const measured: Measured = {
      what: 'GET /transactions with a matching ETag',
      against: 'the same without, 1000 rows, never asked for before',
      unit: 'requests/s',
      rounds: await compareLoad(bench.sizes, newPages, having),
      goal: { ratio: { atLeast: 3 } },
    };
    return [measured];
  },
};
