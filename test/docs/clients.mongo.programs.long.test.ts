// docs/clients.md: its clients in TypeScript and Python are generated, compiled and run as they are printed, against `npm start`.
import test from 'ava';
import { clientPrograms, followClient, PAGE } from './client-programs.ts';
import { shellBlocks } from './shell-blocks.ts';
import { useScene } from './use-scene.ts';

const { programTest, scene } = await useScene(test);
const programs = clientPrograms(shellBlocks(PAGE));
const here = programs.filter(({ language }) => ['ts', 'python'].includes(language));

test('each program of the page is run by this file or by that of compiled languages', t => {
  t.true(here.length >= 3);
  const compiled = programs.filter(program => !here.includes(program));
  t.deepEqual(compiled.map(({ language }) => language).sort(), ['go', 'java', 'rust']);
});

for (const program of here) {
  programTest(`${program.title}: a generated client reads all rows, and types refusals`, t =>
    followClient(t, scene(), program),
  );
}
