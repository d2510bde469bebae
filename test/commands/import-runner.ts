// Runs `import` over the log and the read model of a scene.
import type { ImportContext } from '../../src/commands/appending/import-request.ts';
import { findSpace, readWholeBudget } from '../../src/store/reading/whole-budget.ts';
import { invokeLine } from './invoke.ts';
import type { LogScene } from './log-scene.ts';

/** Returns a function that runs `import`, projects what it appended, and returns the printed lines. */
export function importRunner(
  scene: LogScene,
  now: () => Date,
  {
    isReadable = true,
    isProjected = true,
    noted = [],
  }: { isReadable?: boolean; isProjected?: boolean; noted?: object[] } = {},
): (args: string[]) => Promise<string[]> {
  const { collections } = scene.store;
  return async args => {
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    const context: ImportContext = {
      eventLog: scene.folderLog,
      collections,
      now,
      print,
      bar: { update() {}, say: print, stop() {} },
      program: 'npx budgeting',
      isReadable,
      note(facts) {
        noted.push(facts);
      },
      async readBudget(budget) {
        if (!isReadable) throw new Error('Of another version of the projections');
        return readWholeBudget(scene.db, 'g1', budget);
      },
      spaceNamed: (user, name) => findSpace(collections, user, name),
      applied: async () => {
        if (!isProjected) return { kind: 'still', text: 'None is applied' };
        await scene.project();
        return { kind: 'applied', deleted: [] };
      },
    };
    await invokeLine(['import', ...args], context);
    return printed;
  };
}
