// Runs figures one after the other on servers that start when they are first needed, and stops these. A figure that fails
// costs no other one: the next begins with fresh servers.
import { findMongod } from '../../src/embedded/find-mongod.ts';
import { UserError } from '../../src/process/errors.ts';
import { startKafka } from '../kafka/start-kafka.ts';
import type { Bench, BenchFigure } from './bench.ts';
import type { Measured } from './measured.ts';
import { type Mongod, startBenchMongod } from './mongod.ts';
import { stopProcesses } from './processes.ts';
import type { Broker } from './servers.ts';
import type { Sizes } from './sizes.ts';
import { table } from './table.ts';
import { createWorld, type World } from './world.ts';

export interface RunOptions {
  readonly figures: readonly BenchFigure[];
  readonly sizes: Sizes;
  readonly report: (line: string) => void;
  /** Ends the measurement under way; everything that was started is stopped. */
  readonly signal: AbortSignal;
}

export interface FigureRun {
  readonly measured: readonly Measured[];
  /** The names of the figures that failed; `report` received why. */
  readonly failed: readonly string[];
}

/** @throws UserError when the signal aborts */
export async function runFigures({
  figures,
  sizes,
  report,
  signal,
}: RunOptions): Promise<FigureRun> {
  const closers: (() => Promise<void>)[] = [];
  const { env } = process;
  let kafka: Promise<Broker> | undefined;
  let world: Promise<World> | undefined;
  const bench: Bench = {
    sizes,
    report,
    kafka: () => (kafka ??= openKafka()),
    mongod: openMongod,
    world: () => (world ??= openWorld()),
  };

  async function openKafka(): Promise<Broker> {
    const started = await startKafka({ env, report });
    closers.push(started.stop);
    return started;
  }

  async function openMongod(): Promise<Mongod> {
    const mongod = await startBenchMongod(await findMongod({ env, report }));
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= mongod.stop());
    closers.push(stop);
    return { ...mongod, stop };
  }

  async function openWorld(): Promise<World> {
    const opened = await createWorld(bench);
    closers.push(opened.stop);
    return opened;
  }

  async function stopAll(): Promise<void> {
    await stopProcesses();
    for (const close of closers.splice(0).reverse()) await close();
    kafka = undefined;
    world = undefined;
  }

  const aborted = new Promise<never>((_, reject) => {
    const stop = () => reject(new UserError('Stopped before all figures were measured'));
    signal.addEventListener('abort', stop, { once: true });
  });
  // A signal that comes last ends nothing.
  aborted.catch(() => {});
  try {
    const measured: Measured[] = [];
    const failed: string[] = [];
    for (const { name, measure } of figures) {
      report(`Measuring ${name}`);
      try {
        const found = await Promise.race([measure(bench), aborted]);
        // Reported at once, because all figures together take hours.
        for (const line of table(found)) report(line);
        measured.push(...found);
      } catch (error) {
        if (signal.aborted) throw error;
        report(`${name} failed: ${error instanceof Error ? error.stack : error}`);
        failed.push(name);
        await stopAll();
      }
    }
    return { measured, failed };
  } finally {
    await stopAll();
  }
}
