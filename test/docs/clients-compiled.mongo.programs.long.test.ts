// docs/clients.md: its clients in Go, Java and Rust are generated, compiled and run as they are printed, against `npm start`.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { UserError } from '../../src/process/errors.ts';
import { fetchedFor, fetchedTest } from '../helpers/fetched.ts';
import { type ClientProgram, clientPrograms, followClient, PAGE } from './client-programs.ts';
import { runBlock, shellBlocks } from './shell-blocks.ts';
import { useScene } from './use-scene.ts';

/** Commands that fail where a registry is out of reach, or where a language's own tools are missing. */
const FETCHES = /^(?:go (?:mod init|get)|mvn|cargo (?:init|add|fetch)) /;
const SCHEMAS = join(process.cwd(), 'schemas');

/**
 * Runs the commands of a program up to the last one that fetches something, so that the language's own cache has it.
 *
 * @throws UserError if such a command fails. Any other is left to the test, which then fails.
 */
async function fetchFor({ title, file, code, commands }: ClientProgram): Promise<true> {
  const folder = await mkdtemp(join(tmpdir(), 'budgeting-client-'));
  try {
    await writeFile(join(folder, file), code);
    const lines = commands.trimEnd().split('\n');
    const last = lines.findLastIndex(line => FETCHES.test(line));
    for (const line of lines.slice(0, last + 1)) {
      const {
        code: status,
        out,
        err,
      } = await runBlock(line, folder, { ...process.env, API: SCHEMAS });
      if (status === 0) continue;
      if (!FETCHES.test(line)) break;
      const reason = (err || out)
        .trim()
        .split('\n')
        .at(-1)
        ?.replaceAll(/\w+:\/\/\S+/g, '…');
      throw new UserError(`${title}: Expected \`${line}\` to fetch what it names, but: ${reason}`);
    }
    return true;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const programs = clientPrograms(shellBlocks(PAGE)).filter(({ language }) =>
  ['go', 'java', 'rust'].includes(language),
);
const fetched = new Map<ClientProgram, true | null>();
for (const program of programs) {
  const what = `docs/clients.md, the generated client in ${program.title}`;
  fetched.set(program, await fetchedFor(what, () => fetchFor(program)));
}

const { canRun, scene } = await useScene(test);
for (const program of programs) {
  const tool = canRun ? fetched.get(program) : null;
  fetchedTest(test, tool).serial(
    `${program.title}: a generated client reads all rows, and types refusals`,
    t => followClient(t, scene(), program),
  );
}
