// `npm run test:node -- 22`: builds with Node of that major, and runs a part of the tests with it.
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { UserError } from '../src/process/errors.ts';
import { installNode, nodeMajors } from './node/install-node.ts';
import { runMain } from './run-main.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Quick tests of every layer, those of npm packages with native parts among them; the whole would take too long. */
const TESTS = [
  'test/*.test.ts',
  'test/schemas/*.test.ts',
  'test/projections/{events,chunks.model}.test.ts',
  'test/event-log/{decode,folder,upcast}.test.ts',
  'test/import/{ynab,actual}.test.ts',
  'test/pages/operators/port.test.ts',
  'test/process/compile-cache.test.ts',
  'test/http/{etag,raw-attacks}.test.ts',
  'test/access/tokens.mongo.test.ts',
  'test/http/transactions.mongo.test.ts',
  'test/projector/exactly-once.mongo.test.ts',
];

async function main(): Promise<void> {
  const [major, ...more] = process.argv.slice(2);
  if (major === undefined || more.length > 0) {
    const majors = (await nodeMajors()).join(' or ');
    throw new UserError(`Expected one major of Node, ${majors}, got ${more.length + 1}`);
  }
  const folder = await installNode(major, process.env);
  const env = { ...process.env, PATH: [folder, process.env.PATH].join(delimiter) };
  const node = join(folder, 'node');
  const steps = [
    ['--version'],
    [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', '.'],
    [join('dist', 'scripts', 'test.js'), ...TESTS],
  ];
  for (const args of steps) {
    const code = await run(node, args, env);
    if (code !== 0) {
      process.exitCode = code;
      return;
    }
  }
}

function run(node: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, { cwd: ROOT, env, stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', code => resolve(code ?? 1));
  });
}

await runMain(main);
