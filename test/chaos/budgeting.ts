// Commands of the product, run to their end.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
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
/** A command that takes longer hangs: it is killed, and then has no exit code. */
const COMMAND_MS_MAX = 300_000;

/** @param output the file that receives everything they print */
export function createBudgeting(env: NodeJS.ProcessEnv, output: string): Budgeting {
  const killed = createBudgetingKilled(env, output);
  const hanging: Killing = signal => sleep(COMMAND_MS_MAX, undefined, { signal });
  return (...args) => killed(hanging, ...args);
}

/** @param output the file that receives everything they print */
export function createBudgetingKilled(env: NodeJS.ProcessEnv, output: string): BudgetingKilled {
  return async (killing, ...args) => {
    const over = new AbortController();
    const texts = { out: '', err: '' };
    const child = startChild({ file: process.execPath, args: [CLI, ...args], env, output });
    child.stdout?.on('data', text => {
      texts.out += text;
    });
    child.stderr?.on('data', text => {
      texts.err += text;
    });
    const kill = () => void child.kill('SIGKILL');
    killing(over.signal).then(kill, () => {});
    const [code] = await once(child, 'close');
    over.abort();
    return { code, ...texts };
  };
}

export async function issueToken(budgeting: Budgeting): Promise<string> {
  const { out, err } = await budgeting('token', 'issue', '--user', USER, '--json');
  const { token } = JSON.parse(out || `{"err":${JSON.stringify(err)}}`);
  if (typeof token !== 'string') throw new Error(`No token was issued: ${err}`);
  return token;
}
