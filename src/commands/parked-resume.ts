// `parked resume`: resumes every paused generation of this version.
import { WINDOW_SECONDS } from '../store/parking-limit.ts';
import { parkedGenerations } from './opening/openings.ts';
import type { ParkedContext, ParkedGeneration } from './opening/parked-generations.ts';
import { command } from './syntax/command.ts';

export const parkedResumeCommand = command({
  name: 'parked resume',
  usage: '',
  summary: 'resumes projecting after too many streams would have been parked',
  examples: ['parked resume'],
  audit: {},
  async run(_, { generations, version, print }: ParkedContext) {
    const { readPause, resumeGeneration } = await import('../store/writing/parking-alarm.ts');
    const { otherVersion } = await import('./opening/generation.ts');
    const untouched: ParkedGeneration[] = [];
    let count = 0;
    for (const generation of generations) {
      const { id, store } = generation;
      if (generation.version !== version) {
        if (await readPause(store.collections)) untouched.push(generation);
        continue;
      }
      const ended = await resumeGeneration(store.collections);
      if (!ended) continue;
      count += 1;
      const since = ended.since.toISOString();
      print(`${id} goes on: it was paused since ${since}, as ${ended.reason}`);
      print(`${id}: the alarm is off until no stream has been parked for ${WINDOW_SECONDS} s`);
    }
    const [refused] = untouched;
    if (count === 0 && refused) throw otherVersion(refused, version);
    for (const generation of untouched) {
      print(`${generation.id} stays paused. ${otherVersion(generation, version).message}`);
    }
    if (count === 0) print('Nothing is paused');
  },
  opens: parkedGenerations,
});
