// `parked list`: lists the held streams of all generations.
import type { HeldStatus } from '../projector/operate/held-status.ts';
import type { Pause } from '../store/collections.ts';
import { describePause } from '../store/parking-limit.ts';
import { parkedGenerations } from './opening/openings.ts';
import type { ParkedContext, ParkedGeneration } from './opening/parked-generations.ts';
import { command, JSON_OUTPUT } from './syntax/command.ts';

export const parkedListCommand = command({
  name: 'parked list',
  usage: '[--json]',
  summary: 'lists the held streams, each with its reason and the command that mends it',
  options: { json: JSON_OUTPUT },
  examples: ['parked list'],
  async run({ values }, { generations, print }: ParkedContext) {
    const { heldStatuses } = await import('../projector/operate/held-status.ts');
    const { listHeld } = await import('../projector/operate/parked.ts');
    const { readPause } = await import('../store/writing/parking-alarm.ts');
    const { describeHeld, labelled } = await import('./operating/held-streams.ts');
    const found: { generation: ParkedGeneration; held: HeldStatus }[] = [];
    const pauses: { generation: string; pause: Pause }[] = [];
    for (const generation of generations) {
      const { collections } = generation.store;
      const statuses = await heldStatuses(collections, await listHeld(generation.store));
      for (const held of statuses) found.push({ generation, held });
      const pause = await readPause(collections);
      if (pause) pauses.push({ generation: generation.id, pause });
    }
    if (values.json) {
      const streams = found.map(({ generation, held }) => ({ generation: generation.id, ...held }));
      const paused = pauses.map(({ generation, pause }) => ({ generation, ...pause }));
      return print(JSON.stringify({ streams, paused }));
    }
    for (const { generation, pause } of pauses) {
      for (const line of describePause(generation, pause)) print(line);
    }
    if (found.length === 0) return print('No stream is held');
    for (const { generation, held } of found) print(labelled(generation, describeHeld(held)));
  },
  opens: parkedGenerations,
});
