// Small answers of the complete service, in proportion to a bare handler that finds one document of that size.
import { startBareReader } from '../bare.ts';
import { copyAnswer } from '../bare-data.ts';
import type { BenchFigure } from '../bench.ts';
import { compareLoad } from '../compare.ts';
import type { ReaderRequest } from '../load.ts';
import type { Measured } from '../measured.ts';

const MONTH = '/months/2020-05';
const PATHS = ['/accounts', MONTH, '/categories'];

export const answersFigure: BenchFigure = {
  name: 'answers',
  async measure(bench) {
    const world = await bench.world();
    await world.budget('thousand', 1000);
    const bare = await startBareReader(world);
    const compare = async (
      what: string,
      path: string,
      subject: ReaderRequest,
    ): Promise<Measured> => ({
      what,
      against: 'bare findOne and stringify',
      unit: 'requests/s',
      rounds: await compareLoad(bench.sizes, { url: bare.origin + path }, subject),
      goal: { ratio: { atLeast: 0.5 } },
    });
    const measured: Measured[] = [];
    for (const path of PATHS) {
      const question = `${path}?budget_id=thousand`;
      await copyAnswer(world, question, path);
      measured.push(await compare(`GET ${path}`, path, world.asked(question)));
    }
    const never = world.newQuestions(count => `${monthAt(count)}?budget_id=thousand`);
    measured.push(await compare('GET /months/…, never asked for before', MONTH, never));
    await bare.running.stop();
    return measured;
  },
};

function monthAt(count: number): string {
  const year = String(1 + (Math.floor(count / 12) % 9999)).padStart(4, '0');
  return `/months/${year}-${String(1 + (count % 12)).padStart(2, '0')}`;
}
