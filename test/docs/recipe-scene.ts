// `npm start` with its sample, and people who follow a recipe: with a token of the recipe's scopes, in a folder of their own.
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import {
  createEventBuilder,
  type DataOf,
  type EventType,
} from '../../src/process/event-builder.ts';
import { budgeting } from '../commands/started.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { codeOf, type Recipe } from './recipe-page.ts';

export const BUDGET = 'household';
const START_TIMEOUT_MS = 500_000;
const PROGRAM_TIMEOUT_MS = 500_000;
const MANY = '1000000';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** One who follows a recipe. */
export interface Follower {
  readonly token: string;
  readonly folder: string;
  /** Runs a block of the recipe as it is printed. `name` is that of its file, or its language. */
  run(name: string, args?: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ran>;
  /** Starts one that goes on until the test ends; returns a function that waits for a text in its output. */
  start(name: string, env?: NodeJS.ProcessEnv): Promise<(text: RegExp) => Promise<string>>;
}

export interface Scene extends Gateway {
  /** The service itself, for requests that the gateway does not pass on. */
  readonly service: string;
  /** Returns the body of a 200; throws otherwise. */
  read<T>(path: string): Promise<T>;
  get(path: string): Promise<Response>;
  follow(t: ExecutionContext, recipe: Recipe): Promise<Follower>;
  /** Appends an event to the budget and waits until answers contain it. */
  happen<T extends EventType>(type: T, data: DataOf<T>): Promise<void>;
}

const INTERPRETERS: Readonly<Record<string, string>> = {
  js: process.execPath,
  mjs: process.execPath,
  py: 'python3',
  sh: 'sh',
};

export async function startScene(): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'budgeting-recipes-'));
  // The limits of a token are the usual ones: a recipe must get along with them.
  const limits = { RATE_LIMIT_IP_PER_MINUTE: MANY, RATE_LIMIT_USER_PER_MINUTE: MANY };
  const env = { ...limits, DATA_DIR: join(folder, 'data'), PORT: '0', LOG_LEVEL: '' };
  const system = budgeting(['start'], env);
  const out = await withDeadline(system.printed(/goes on where it stopped/));
  const service = /Read API\s+(\S+)\/api\/v1/.exec(out)?.[1] ?? '';
  const gateway = await startGateway(service);
  const api = `${gateway.origin}/api/v1`;

  async function issue(scopes: readonly string[]): Promise<string> {
    const narrowed = ['--budget', BUDGET, ...scopes.flatMap(scope => ['--scope', scope])];
    const args = ['token', 'issue', '--user', 'anna', '--json', ...(scopes.length ? narrowed : [])];
    const { code, out: issued, err } = await budgeting(args, env).ended;
    if (code !== 0) throw new Error(err);
    return JSON.parse(issued).token;
  }

  async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    // In turns, so that no token reaches its limit.
    tokens.push(...tokens.splice(0, 1));
    const authorization = `Bearer ${tokens[0]}`;
    return await fetch(`${api}${path}`, { headers: { authorization, ...headers } });
  }
  const tokens = [await issue([]), await issue([]), await issue([])];

  return {
    ...gateway,
    service,
    get,
    async read<T>(path: string) {
      const response = await get(path);
      if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
      return (await response.json()) as T;
    },
    async follow(t, recipe) {
      const token = await issue(recipe.scopes);
      const own = await temporaryFolder(t);
      const env = { ...process.env, HOME: own, API: api, TOKEN: token };
      async function written(name: string) {
        const [extension = ''] = name.split('.').slice(-1);
        const file = join(own, name === extension ? `block.${name}` : name);
        await writeFile(file, codeOf(recipe, name));
        return { interpreter: INTERPRETERS[extension] ?? '', file };
      }
      return {
        token,
        folder: own,
        async run(name, args = [], more = {}) {
          const { interpreter, file } = await written(name);
          return await run(interpreter, [file, ...args], { cwd: own, env: { ...env, ...more } });
        },
        async start(name, more = {}) {
          const { interpreter, file } = await written(name);
          const child = spawn(interpreter, [file], { cwd: own, env: { ...env, ...more } });
          t.teardown(() => child.kill('SIGKILL'));
          let out = '';
          child.stdout.on('data', part => {
            out += part;
          });
          child.stderr.on('data', part => {
            out += part;
          });
          return async text => {
            while (!text.test(out)) {
              if (child.exitCode !== null) throw new Error(`${name} has ended: ${out}`);
              await sleep(50);
            }
            return out;
          };
        },
      };
    },
    async happen(type, data) {
      const known = await get(`/labels?budget_id=${BUDGET}&limit=1`);
      const first = Number(known.headers.get('x-projection-position')) + 1;
      const build = createEventBuilder({ subject: BUDGET, source: '/budgeting/test', first });
      const file = join(folder, `event-${first}.ndjson`);
      await writeFile(file, `${JSON.stringify(build(type, data, new Date().toISOString()))}\n`);
      const { code, err } = await budgeting(['append', file], env).ended;
      if (code !== 0) throw new Error(err);
      const wait = { 'x-projection-wait-for': String(first) };
      await get(`/labels?budget_id=${BUDGET}&limit=1`, wait);
    },
    async stop() {
      await gateway.stop();
      system.child.kill('SIGTERM');
      await system.ended;
      await rm(folder, { recursive: true, force: true });
    },
  };

  async function withDeadline<T>(work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => system.child.kill('SIGKILL'), START_TIMEOUT_MS);
    return await work.finally(() => clearTimeout(timer));
  }
}

/** Runs a program to its end, whatever its exit code. */
export async function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Ran> {
  const limits = { timeout: PROGRAM_TIMEOUT_MS, maxBuffer: 2 ** 26 };
  return await promisify(execFile)(command, args, { ...options, ...limits }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), out: stdout, err: stderr }),
  );
}
