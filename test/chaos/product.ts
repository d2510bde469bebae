// Supervises processes of the product: one that ends badly is restarted, as in production.
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ended, isAlive, startChild } from './children.ts';
import type { Weather } from './weather.ts';

export const CLI = join(import.meta.dirname, '..', '..', 'src', 'cli.js');
const CLOCK = new URL('./clock.js', import.meta.url).href;
const RESTART_MS = 500;
/** The heap in megabytes: the rest of a process's memory is that of messages on their way. */
const HEAP = '--max-old-space-size=256';
/** By then the connections of its clients are back. */
const THAWED_MS = 5000;
/** The product ends at most nine seconds after SIGTERM; a busy machine needs more time to notice. */
const STOP_MS_MAX = 15_000;

export interface ProductOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Receives their output. */
  readonly folder: string;
  /** Reports a violated expectation. */
  readonly blame: (what: string) => void;
  readonly weather: Weather;
  readonly exits: Exits;
}

export interface Supervised {
  readonly name: string;
  /** The number of starts; a change between two reads means that the process was killed meanwhile. */
  starts(): number;
  /** Returns the address after this label in the output; null until the process has printed it. */
  address(label: 'Operators' | 'Read API'): string | null;
  signal(name: NodeJS.Signals): void;
  /** Stops the process while the action runs; no other code may signal it meanwhile. */
  freeze(action: () => Promise<void>): Promise<void>;
  /** Returns whether it was frozen at any time since then (epoch milliseconds). */
  wasFrozen(since: number): boolean;
  /** Moves its wall clock away from the machine's; 0 or a restart resets it. */
  setClock(jumpMs: number): void;
  /** Stops it like an operator: it must end soon with exit code 0. */
  stop(): Promise<void>;
  /** Kills it for good. */
  abandon(): void;
}

/** The reasons why processes ended by themselves, and their counts. */
export type Exits = Map<string, number>;

export function supervise(
  name: string,
  command: 'project' | 'serve',
  { env, folder, blame, weather, exits }: ProductOptions,
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
    const args = [HEAP, '--import', CLOCK, CLI, command];
    return startChild({ file: process.execPath, args, env: childEnv, output }, line => {
      const [, label, address] = /^(Operators|Read API) (http:\/\/[^/]+)/.exec(line) ?? [];
      if (label && address) addresses.set(label, address);
      else if (!line.startsWith('{') || /^\{"level":[56]0/.test(line)) lastError = line;
    });
  };
  const keep = async () => {
    for (;;) {
      child = start();
      await ended(child);
      if (stopping) return;
      if (child.signalCode === 'SIGABRT') blame(`${name} crashed, or ran out of memory`);
      if (child.exitCode === 0) blame(`${name} ended by itself with exit code 0`);
      if (child.exitCode !== null) count(exits, `${command}: ${shortened(lastError)}`);
      await sleep(RESTART_MS);
      // Its stop may have been requested meanwhile, and nobody would end another child.
      if (stopping) return;
    }
  };
  const kept = keep();
  return {
    name,
    starts: () => starts,
    address: label => addresses.get(label) ?? null,
    signal: how => void (isAlive(child) && child.kill(how)),
    async freeze(action) {
      frozen += 1;
      child.kill('SIGSTOP');
      await action().finally(() => {
        child.kill('SIGCONT');
        frozen -= 1;
        thawedAt = Date.now();
      });
    },
    wasFrozen: since => frozen > 0 || since < thawedAt + THAWED_MS,
    setClock(jumpMs) {
      writeFileSync(clock, String(jumpMs));
      // Before it has printed its address, the signal might end it.
      if (addresses.size > 0 && isAlive(child)) child.kill('SIGUSR2');
    },
    abandon() {
      stopping = true;
      child.kill('SIGKILL');
    },
    async stop() {
      stopping = true;
      if (!isAlive(child)) return kept;
      // Before that, Node does not handle signals yet.
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

/** Removes the parts that differ each time. */
function shortened(line: string): string {
  const message = line.startsWith('{') ? messageOf(line) : line;
  return message.replaceAll(/127\.0\.0\.1:\d+/g, '…').slice(0, 200);
}

function messageOf(line: string): string {
  const { msg = '', err } = JSON.parse(line);
  return `${msg} ${err?.message ?? ''}`.trim();
}
