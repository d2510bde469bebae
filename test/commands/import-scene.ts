// Imports into a real log and read model; the projector runs after each of them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { UserError } from '../../src/process/errors.ts';
import { makeZip } from '../helpers/make-zip.ts';
import type { TestMongo } from '../helpers/mongo.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { serve } from '../http/serve.ts';
import { importRunner } from './import-runner.ts';
import { createLogScene } from './log-scene.ts';

export const NOW = new Date('2026-04-01T10:00:00.000Z');

export type ImportScene = Awaited<ReturnType<typeof importScene>>;

export async function importScene(t: ExecutionContext, mongo: TestMongo) {
  const served = await serve(mongo, 'import');
  t.teardown(() => served.stop());
  const scene = await createLogScene(t, served.db);
  const folder = await temporaryFolder(t);
  const runner = importRunner(scene, () => NOW);
  const run = (...args: string[]) => runner(args);
  return {
    ...scene,
    folder,
    run,
    async refused(args: string[], message: RegExp | string) {
      const before = await scene.texts();
      const error = await t.throwsAsync(run(...args), { instanceOf: UserError, message });
      t.is(error?.exitCode, 1);
      t.deepEqual(await scene.texts(), before, 'nothing was appended');
    },
    async zip(files: readonly { name: string; bytes: Buffer }[]) {
      const path = join(folder, 'export.zip');
      await writeFile(path, makeZip(files));
      return path;
    },
    async reader(user: string) {
      const token = await served.issue(user);
      return async (path: string) => {
        const { status, body } = await served.api(path, { token });
        t.is(status, 200, path);
        return body;
      };
    },
  };
}
