// Processes of the product under a supervisor: what ends badly is started again, as an operator would have it.
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ended, isAlive, startChild } from './children.ts';
import type { Weather } from './weather.ts';

export const CLI = join(import.meta.dirname, '..', '..', 'src', 'cli.js');
const CLOCK = new URL('./clock.js', import.meta.url).href;
const RESTART_MS = 500;
/** Its clients' connections come back by then. */
const THAWED_MS = 5000;
/** The product ends itself nine seconds after SIGTERM at the latest; a busy machine needs some more to see that. */
const STOP_MS_MAX = 15_000;

export interface ProductOptions {
  readonly env: NodeJS.ProcessEnv;
  /** For what they print. */
  readonly folder: string;
  /** What should never happen. */
  readonly blame: (what: string) => void;
  readonly weather: Weather;
}

export interface Supervised {
  readonly name: string;
  /** How often it was started; odd things that happen between two starts have to do with a kill. */
  starts(): number;
  /** Where it listens, by the word that it prints before; null until it has said so. */
  address(word: 'Operators' | 'Read API'): string | null;
  signal(name: NodeJS.Signals): void;
  /** Stops it for as long as the work takes; nobody else may signal it meanwhile. */
  freeze(work: () => Promise<void>): Promise<void>;
  /** Whether it was frozen at any time since then (epoch milliseconds). */
  wasFrozen(since: number): boolean;
  /** Moves its wall clock away from the machine's; 0 puts it right. A restart puts it right too. */
  setClock(jumpMs: number): void;
  /** As an operator does: it must end well and soon. */
  stop(): Promise<void>;
  /** SIGKILL, for good. */
  abandon(): void;
}

/** Why processes ended by themselves, and how often. */
export type Exits = Map<string, number>;

export function supervise(
  name: string,
  command: 'project' | 'serve',
  { env, folder, blame, weather }: ProductOptions,
  exits: Exits,
): Supervised {
  let starts = 0;
  let addresses = new Map<string, string>();
  let lastError = '';
  let stopping = false;
  let frozen = 0;
  let thawedAt = 0;
  const clock = join(folder, `${name}.clock`);
  const childEnv = { ...env, CHAOS_CLOCK: clock };
  let child: ChildProcess;
  const start = (): ChildProcess => {
    starts += 1;
    addresses = new Map();
    const output = join(folder, `${name}.log`);
    const args = ['--import', CLOCK, CLI, command];
    return startChild({ file: process.execPath, args, env: childEnv, output }, line => {
      const [, word, address] = /^(Operators|Read API) (http:\/\/[^/]+)/.exec(line) ?? [];
      if (word && address) addresses.set(word, address);
      else if (!line.startsWith('{') || /^\{"level":[56]0/.test(line)) lastError = line;
    });
  };
  const keep = async () => {
    for (;;) {
      child = start();
      await ended(child);
      if (stopping) return;
      if (child.exitCode === 0) blame(`${name} ended by itself with exit code 0`);
      if (child.exitCode !== null) count(exits, `${command}: ${shortened(lastError)}`);
      await sleep(RESTART_MS);
    }
  };
  const kept = keep();
  return {
    name,
    starts: () => starts,
    address: word => addresses.get(word) ?? null,
    signal: how => void (isAlive(child) && child.kill(how)),
    async freeze(work) {
      frozen += 1;
      child.kill('SIGSTOP');
      await work().finally(() => {
        child.kill('SIGCONT');
        frozen -= 1;
        thawedAt = Date.now();
      });
    },
    wasFrozen: since => frozen > 0 || since < thawedAt + THAWED_MS,
    setClock(jumpMs) {
      writeFileSync(clock, String(jumpMs));
      // Before it has said where it listens, the signal might end it.
      if (addresses.size > 0 && isAlive(child)) child.kill('SIGUSR2');
    },
    abandon() {
      stopping = true;
      child.kill('SIGKILL');
    },
    async stop() {
      stopping = true;
      if (!isAlive(child)) return kept;
      // Before that, Node has not yet come to listening to signals.
      const hadBegun = addresses.has('Operators');
      const begun = Date.now();
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), 2 * STOP_MS_MAX);
      await kept;
      clearTimeout(force);
      const took = Date.now() - begun;
      if (child.exitCode !== 0 && hadBegun) {
        blame(
          `${name} ended with ${child.exitCode ?? child.signalCode} after SIGTERM: ${lastError}`,
        );
      } else if (hadBegun && took > STOP_MS_MAX && !weather.wasStarved(begun)) {
        blame(`${name} took ${took} ms to end after SIGTERM`);
      }
    },
  };
}

export function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** Without what differs each time. */
function shortened(line: string): string {
  const message = line.startsWith('{') ? messageOf(line) : line;
  return message.replaceAll(/127\.0\.0\.1:\d+/g, '…').slice(0, 200);
}

function messageOf(line: string): string {
  const { msg = '', err } = JSON.parse(line);
  return `${msg} ${err?.message ?? ''}`.trim();
}
