// The whole way of a file: `import` into an event log, the projector, and the answers of the API.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { importRunner } from '../commands/import-runner.ts';
import { createLogScene } from '../commands/log-scene.ts';
import type { TestMongo } from '../helpers/mongo.ts';
import { type Teardown, temporaryFolder } from '../helpers/temporary-folder.ts';
import { serve } from '../http/serve.ts';
import type { Ask } from './our-figures.ts';
import { NOW } from './span.ts';

const ATTEMPTS_MAX = 5;
const RETRY_MS = 1000;

const USER = 'anna';
export const NEW_BUDGET = ['--user', USER, '--currency', 'EUR'];

export interface Product {
  /** Runs `import actual` with these options until its events are projected. Returns the id of the budget. */
  importFile(archive: Uint8Array, options: readonly string[]): Promise<string>;
  /** @throws Error if a second update with the same file appends anything */
  importAgain(archive: Uint8Array, budgetId: string): Promise<void>;
  reader(budgetId: string): Ask;
  stop(): Promise<void>;
}

/** Starts with an empty log and empty databases, which `stop` removes. */
export async function openProduct(mongo: TestMongo, name: string): Promise<Product> {
  const closers: (() => unknown)[] = [];
  const teardown: Teardown = { teardown: close => void closers.push(close) };
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const folder = await temporaryFolder(teardown);
    const clock = () => new Date(NOW);
    const served = await serve(mongo, name, { clock });
    closers.push(async () => {
      await served.stop();
      await Promise.all([served.db.dropDatabase(), served.access.dropDatabase()]);
    });
    const run = importRunner(await createLogScene(teardown, served.db), clock);
    const token = await served.issue(USER);
    return {
      async importFile(archive, options) {
        const path = join(folder, 'export.zip');
        await writeFile(path, archive);
        const printed = await run(['actual', path, ...options]);
        const budgetId = printed.map(line => /udget (actual-\w+)/.exec(line)?.[1]).find(Boolean);
        if (budgetId === undefined) throw new Error(`Expected a budget, got ${printed.join('; ')}`);
        return budgetId;
      },
      async importAgain(archive, budgetId) {
        const path = join(folder, 'export.zip');
        await writeFile(path, archive);
        const printed = (await run(['actual', path, '--into', budgetId])).join('; ');
        if (/is up to date: nothing was appended/.test(printed)) return;
        throw new Error(`Expected no second change, got ${printed}`);
      },
      reader: budgetId => async (path, query) => {
        const asked = `${path}?budget_id=${budgetId}${query ? `&${query}` : ''}`;
        for (let attempt = 1; ; attempt += 1) {
          const { status, body, text } = await served.api(asked, { token });
          if (status === 200) return body;
          // A busy machine may be too slow for the reader's two seconds: like any client, ask again.
          const isBusy = status === 503 && attempt < ATTEMPTS_MAX;
          if (!isBusy) throw new Error(`${asked}: ${status} ${text}`);
          await sleep(RETRY_MS);
        }
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
