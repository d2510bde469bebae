// `parked skip`: drops what holds a stream.
import { parkedGenerations } from './opening/openings.ts';
import type { ParkedContext } from './opening/parked-generations.ts';
import { command, STREAM } from './syntax/command.ts';

export const parkedSkipCommand = command({
  name: 'parked skip',
  usage: 'STREAM [--event ID|--missing]',
  summary: 'drops the event that holds the stream',
  details:
    'Only what holds the stream when the command begins is dropped; if something else holds it meanwhile, the command changes nothing and says so.',
  operands: STREAM,
  options: {
    event: { value: 'ID', about: 'Only if this event holds the stream, as parked list shows it' },
    missing: { about: 'Gives up the missing sequences instead' },
  },
  refuse: ({ event, missing }) =>
    event !== undefined && missing ? 'Expected --event or --missing, got both' : null,
  examples: ['parked skip household', 'parked skip household --missing'],
  audit: { operand: true, flags: ['missing'] },
  async run({ operands: [subject = ''], values }, context: ParkedContext) {
    const { skipHeld } = await import('../projector/operate/parked.ts');
    const { actOn, LIMITS: limits } = await import('./operating/held-streams.ts');
    const { missing = false, event } = values;
    const now = context.now();
    await actOn(
      subject,
      store => skipHeld(store, subject, { missing, event, limits, now }),
      context,
    );
  },
  opens: parkedGenerations,
});
