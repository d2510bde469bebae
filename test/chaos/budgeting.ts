// Commands of the product, run to their end.
import { once } from 'node:events';
import { startChild } from './children.ts';
import { CLI } from './product.ts';
import type { Ended } from './world.ts';

export type Budgeting = (...args: readonly string[]) => Promise<Ended>;
/** Kills the command after a time, unless it has ended. */
export type BudgetingKilled = (afterMs: number, ...args: readonly string[]) => Promise<Ended>;

const USER = 'user-1';
/** A command that takes longer hangs: it is killed, and then has no exit code. */
const COMMAND_MS_MAX = 300_000;

/** @param output the file that receives everything they print */
export function createBudgeting(env: NodeJS.ProcessEnv, output: string): Budgeting {
  const killed = createBudgetingKilled(env, output);
  return (...args) => killed(COMMAND_MS_MAX, ...args);
}

/** @param output the file that receives everything they print */
export function createBudgetingKilled(env: NodeJS.ProcessEnv, output: string): BudgetingKilled {
  return async (afterMs, ...args) => {
    const texts = { out: '', err: '' };
    const child = startChild({ file: process.execPath, args: [CLI, ...args], env, output });
    child.stdout?.on('data', text => {
      texts.out += text;
    });
    child.stderr?.on('data', text => {
      texts.err += text;
    });
    const force = setTimeout(() => child.kill('SIGKILL'), afterMs);
    const [code] = await once(child, 'close');
    clearTimeout(force);
    return { code, ...texts };
  };
}

export async function issueToken(budgeting: Budgeting): Promise<string> {
  const { out, err } = await budgeting('token', 'issue', '--user', USER, '--json');
  const { token } = JSON.parse(out || `{"err":${JSON.stringify(err)}}`);
  if (typeof token !== 'string') throw new Error(`No token was issued: ${err}`);
  return token;
}
