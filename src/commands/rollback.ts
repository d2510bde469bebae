// `rollback`: goes back to the previous generation.

import { store } from './opening/openings.ts';
import type { StoreContext } from './opening/store.ts';
import { command } from './syntax/command.ts';

export const rollbackCommand = command({
  name: 'rollback',
  usage: '',
  summary: 'switches back to the generation that was active before',
  examples: ['rollback'],
  audit: {},
  async run(_, { connection, print }: Pick<StoreContext, 'connection' | 'print'>) {
    const { rollBack } = await import('../generations/operate.ts');
    const { from, to } = await rollBack(connection.readModel);
    print(`Generation ${to.id} (version ${to.version}) answers again; ${from.id} is rejected`);
    if (from.version !== to.version) {
      const { describeRejected } = await import('./opening/generation.ts');
      print(describeRejected(from.version));
    }
  },
  opens: store,
});
