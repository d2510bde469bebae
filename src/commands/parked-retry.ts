// `parked retry`: applies the queue of a held stream again.
import { parkedGenerations } from './opening/openings.ts';
import type { ParkedContext } from './opening/parked-generations.ts';
import { command, STREAM } from './syntax/command.ts';

export const parkedRetryCommand = command({
  name: 'parked retry',
  usage: 'STREAM',
  summary: "applies a held stream's queue again, in order",
  operands: STREAM,
  examples: ['parked retry household'],
  audit: { operand: true },
  async run({ operands: [subject = ''] }, context: ParkedContext) {
    const { retryHeld } = await import('../projector/operate/parked.ts');
    const { actOn, LIMITS } = await import('./operating/held-streams.ts');
    await actOn(subject, store => retryHeld(store, subject, LIMITS), context);
  },
  opens: parkedGenerations,
});
