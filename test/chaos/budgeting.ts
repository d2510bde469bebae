// Commands of the product, run to their end.
import { once } from 'node:events';
import { startChild } from './children.ts';
import { CLI } from './product.ts';
import type { Ended } from './world.ts';

export type Budgeting = (...args: readonly string[]) => Promise<Ended>;

const USER = 'user-1';
/** A command that takes longer hangs: it is killed, and then has no exit code. */
const COMMAND_MS_MAX = 300_000;

/** @param output the file that receives everything they print */
export function createBudgeting(env: NodeJS.ProcessEnv, output: string): Budgeting {
  return async (...args) => {
    const texts = { out: '', err: '' };
    const child = startChild({ file: process.execPath, args: [CLI, ...args], env, output });
    child.stdout?.on('data', text => {
      texts.out += text;
    });
    child.stderr?.on('data', text => {
      texts.err += text;
    });
    const force = setTimeout(() => child.kill('SIGKILL'), COMMAND_MS_MAX);
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
