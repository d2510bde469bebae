// `npm start` with its sample while the tests of a file run the programs of pages against it.
import type { TestFn } from 'ava';
import { missingPrograms } from '../../scripts/test/programs.ts';
import { type Scene, startScene } from './recipe-scene.ts';

/**
 * Returns the test function for tests that need curl, jq and Python, and a function that returns the scene while they
 * run. Without these programs the tests are skipped; in CI they run all the same, and fail.
 */
export async function useScene<Context>(test: TestFn<Context>) {
  const canRun = process.env.CI === 'true' || (await missingPrograms()).length === 0;
  let scene: Scene | undefined;
  test.serial.before(async () => {
    if (!canRun) return;
    scene = await startScene();
  });
  test.after.always(async () => {
    await scene?.stop();
  });
  return {
    canRun,
    programTest: canRun ? test.serial : test.serial.skip,
    scene(): Scene {
      if (!scene) throw new Error('Expected a scene, got none: the programs are missing');
      return scene;
    },
  };
}
