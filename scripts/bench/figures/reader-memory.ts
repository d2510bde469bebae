// The peak memory of a reader while many clients request full pages.
import { startBareReader } from '../bare.ts';
import { copyRows } from '../bare-data.ts';
import type { BenchFigure } from '../bench.ts';
import { load } from '../load.ts';
import type { Measured } from '../measured.ts';
import { untilDay } from '../world.ts';

const CONNECTIONS = 64;
const PATH = '/transactions?budget_id=full-pages&limit=1000';
/** Long enough to build up the garbage of many answers. */
const MS = 8000;

export const readerMemoryFigure: BenchFigure = {
  name: 'reader-memory',
  async measure(bench) {
    const world = await bench.world();
    await world.budget('full-pages', 1000);
    await copyRows(world, 'full-pages');
    const bare = await startBareReader(world);
    await load({ url: bare.origin + PATH }, CONNECTIONS, MS);
    const baseline = await bare.running.peakMegabytes();
    await bare.running.stop();
    const { reader, origin } = await world.serve();
    const asked = world.newQuestions(count => PATH + untilDay(count), { at: origin });
    await load(asked, CONNECTIONS, MS);
    const subject = await reader.peakMegabytes();
    await reader.stop();
    const measured: Measured = {
      what: `Reader's peak memory, ${CONNECTIONS} connections asking 1000 rows`,
      against: 'bare reader',
      unit: 'MB',
      rounds: { subject: [subject], baseline: [baseline] },
      goal: { value: { atMost: 300 } },
    };
    return [measured];
  },
};
