// The time from the start of a reader's process to its first answer, on a ready system.
import { startBareReader } from '../bare.ts';
import type { BenchFigure } from '../bench.ts';
import { latencies } from '../load.ts';
import { alternate, type Measured } from '../measured.ts';

export const startFigure: BenchFigure = {
  name: 'start',
  async measure(bench) {
    const world = await bench.world();
    await world.budget('thousand', 1000);
    const { headers = {} } = world.asked('');
    const rounds = await alternate(
      bench.sizes.rounds,
      async () => {
        const startedAt = performance.now();
        const { running, origin } = await startBareReader(world);
        await latencies({ url: `${origin}/none` }, 1);
        const seconds = (performance.now() - startedAt) / 1000;
        await running.stop();
        return seconds;
      },
      async () => {
        const startedAt = performance.now();
        const { reader, origin } = await world.serve();
        await latencies({ url: `${origin}/api/v1/accounts?budget_id=thousand`, headers }, 1);
        const seconds = (performance.now() - startedAt) / 1000;
        await reader.stop();
        return seconds;
      },
    );
    const measured: Measured = {
      what: 'Start of serve to its first answer',
      against: 'bare reader',
      unit: 's',
      rounds,
      goal: { value: { atMost: 1 } },
    };
    return [measured];
  },
};
