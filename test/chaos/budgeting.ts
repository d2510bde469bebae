// Commands of the product, run to their end.
import { once } from 'node:events';
import { startChild } from './children.ts';
import { CLI } from './product.ts';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export type Budgeting = (...args: readonly string[]) => Promise<Ended>;
/** Resolves when the command is to be killed; the signal aborts when it has ended. */
export type Killing = (signal: AbortSignal) => Promise<unknown>;
export type BudgetingKilled = (killing: Killing, ...args: readonly string[]) => Promise<Ended>;

const USER = 'user-1';
/** A command that prints nothing for so long hangs: it is killed, and then has no exit code. */
const SILENT_MS_MAX = 300_000;

/** @param output the file that receives everything they print */
export function createBudgeting(env: NodeJS.ProcessEnv, output: string): Budgeting {
  return async (...args) => {
    const { child, ended } = startCommand(env, output, args);
    const hangs = setTimeout(() => child.kill('SIGKILL'), SILENT_MS_MAX);
    for (const printed of [child.stdout, child.stderr]) printed?.on('data', () => hangs.refresh());
    return await ended.finally(() => clearTimeout(hangs));
  };
}

/** @param output the file that receives everything they print */
export function createBudgetingKilled(env: NodeJS.ProcessEnv, output: string): BudgetingKilled {
  return async (killing, ...args) => {
    const over = new AbortController();
    const { child, ended } = startCommand(env, output, args);
    const kill = () => void child.kill('SIGKILL');
    killing(over.signal).then(kill, () => {});
    return await ended.finally(() => over.abort());
  };
}

function startCommand(env: NodeJS.ProcessEnv, output: string, args: readonly string[]) {
  const child = startChild({ file: process.execPath, args: [CLI, ...args], env, output });
  const texts = { out: '', err: '' };
  child.stdout?.on('data', text => {
    texts.out += text;
  });
  child.stderr?.on('data', text => {
    texts.err += text;
  });
  const ended = once(child, 'close').then(([code]): Ended => ({ code, ...texts }));
  return { child, ended };
}

export async function issueToken(budgeting: Budgeting): Promise<string> {
  const { out, err } = await budgeting('token', 'issue', '--user', USER, '--json');
  const { token } = JSON.parse(out || `{"err":${JSON.stringify(err)}}`);
  if (typeof token !== 'string') throw new Error(`No token was issued: ${err}`);
  return token;
}
