// `start`: runs the whole system in one process tree, as `npm start` does.
import { ownService } from './opening/openings.ts';
import type { ProcessContext } from './opening/process.ts';
import { command } from './syntax/command.ts';

export const startCommand = command({
  name: 'start',
  usage: '[--empty]',
  summary: 'runs the whole system in one process tree, as npm start does',
  details:
    'MongoDB and the event log are embedded in DATA_DIR, unless MONGODB_URL and KAFKA_BROKERS name others. An empty embedded log gets a sample history.',
  options: { empty: { about: 'Starts without the sample' } },
  examples: ['start', 'start --empty'],
  async run({ values }, context: ProcessContext) {
    const { startSystem } = await import('./services/start-system.ts');
    await startSystem(values.empty === true, context);
  },
  opens: ownService,
});
