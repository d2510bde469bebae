// Runs `import` over the log and the read model of a scene.
import { runImport } from '../../src/commands/appending/import-budget.ts';
import { parseCommand } from '../../src/commands/syntax/parse-command.ts';
import { findSpace, readWholeBudget } from '../../src/store/reading/whole-budget.ts';
import type { LogScene } from './log-scene.ts';

/** Returns a function that runs `import`, projects what it appended, and returns the printed lines. */
export function importRunner(
  scene: LogScene,
  now: () => Date,
): (args: string[]) => Promise<string[]> {
  const { collections } = scene.store;
  return async args => {
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    await runImport(parseCommand(['import', ...args]) as Parameters<typeof runImport>[0], {
      eventLog: scene.folderLog,
      collections,
      now,
      bar: { update() {}, say: print, stop() {} },
      program: 'npx budgeting',
      readBudget: budget => readWholeBudget(scene.db, 'g1', budget),
      spaceNamed: (user, name) => findSpace(collections, user, name),
      applied: async () => {
        await scene.project();
        return { kind: 'applied' };
      },
    });
    return printed;
  };
}
