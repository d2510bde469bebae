// Starts Actual Budget's own engine as a child process, with its data in a temporary folder.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reply, Request } from './engine-messages.ts';

export interface EngineProcess {
  /** Calls a function of the engine; rejects if the engine throws, or ends. */
  call(name: string, ...args: readonly unknown[]): Promise<unknown>;
  /** Ends the process and removes its data. */
  stop(): Promise<void>;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const PROCESS = new URL('./engine-process.js', import.meta.url);
const SHOWN_CHARACTERS = 2000;

/** @param folder as `installActual` returns it */
export async function startEngine(folder: string, env: NodeJS.ProcessEnv): Promise<EngineProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'budgeting-actual-'));
  const child = fork(PROCESS, [folder, dataDir], {
    // Its own timezone, and no coverage: the engine is one file of four megabytes.
    env: { ...env, TZ: 'UTC', NODE_V8_COVERAGE: '' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    // Away from ^C: its user stops it, and it ends by itself when this process does.
    detached: true,
  });
  const waiting = new Map<number, Waiting>();
  let requests = 0;
  let errors = '';
  child.stderr?.on('data', chunk => {
    errors = (errors + chunk).slice(-SHOWN_CHARACTERS);
  });
  child.on('message', (reply: Reply) => {
    const { resolve, reject } = waiting.get(reply.id) ?? {};
    waiting.delete(reply.id);
    if ('failure' in reply) reject?.(new Error(reply.failure));
    else resolve?.(reply.value);
  });
  child.on('exit', code => {
    const error = new Error(`Actual's engine ended with code ${code}: ${errors}`);
    for (const { reject } of waiting.values()) reject(error);
  });
  const reply = (id: number) =>
    new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }));
  const stop = async () => {
    await end(child);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await reply(0);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    async call(name, ...args) {
      if (!child.connected) throw new Error(`Actual's engine has ended: ${errors}`);
      requests += 1;
      const answered = reply(requests);
      child.send({ id: requests, name, args } satisfies Request);
      try {
        return await answered;
      } catch (cause) {
        throw new Error(`${name}(${JSON.stringify(args)}): ${(cause as Error).message}`, { cause });
      }
    },
    stop,
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
