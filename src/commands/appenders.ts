// Opens what a command needs that appends events, or says what it would append; runs the command, and closes it.
import type { Config } from '../process/config.ts';
import { stopOnceBegun } from '../process/stopping.ts';
import { type GenerationCollections, generationCollections } from '../store/collections.ts';
import type { StoreConnection } from '../store/connect.ts';
import { listBudgets } from '../store/reading/list-budgets.ts';
import { findSpace, readWholeBudget } from '../store/reading/whole-budget.ts';
import { type GenerationRecord, readRegistry } from '../store/registry.ts';
import { type AppendTarget, runAppend } from './appending/append-events.ts';
import {
  type AwaitedPositions,
  awaitApplied,
  type Waited,
  type WaitOptions,
} from './appending/await-applied.ts';
import type { ImportInvocation } from './appending/import-request.ts';
import { runBudgetDelete, runBudgetList } from './budget.ts';
import { checkBeforeAppend, checkDataLoss } from './opening/check-data-loss.ts';
import { openFor, withStore } from './opening/open-for.ts';
import { operatorStore } from './opening/system.ts';
import { currentGeneration, requireOwn } from './services/generations.ts';
import type { Invocation } from './syntax/parse-command.ts';
import { confirm } from './terminal/confirm.ts';
import { print, printError, printLine } from './terminal/print.ts';
import { programName } from './terminal/program-name.ts';
import { startProgress } from './terminal/progress.ts';

const now = () => new Date();

interface StoppableTarget extends AppendTarget {
  /** Aborts when the process is asked to stop after the append began. */
  readonly signal: AbortSignal;
}

type WithTarget = (
  target: StoppableTarget,
  from: { readonly connection: StoreConnection; readonly generation: GenerationRecord },
) => Promise<void>;

interface Target {
  readonly config: Config;
  /** Other writers are locked out, and a missing log is made. A command that only looks runs beside a writer. */
  readonly appends: boolean;
}

/** Opens the log; data loss is checked first. */
function withTarget({ config, appends }: Target, run: WithTarget): Promise<void> {
  return withStore(config, async connection => {
    const generation = await currentGeneration(connection);
    const { id } = generation;
    const eventLog = await openFor(connection, config, { writer: appends, makes: appends });
    const check = async () => checkDataLoss(eventLog, await generationsToCheck(connection));
    const { begin, signal } = stopOnceBegun(() => printError('Stopped: nothing was appended'));
    try {
      await check();
      const collections = generationCollections(connection.readModel, id);
      const checked = checkBeforeAppend(eventLog, () => check().then(begin));
      const target = { eventLog: checked, collections, signal };
      await run(target, { connection, generation });
    } finally {
      await eventLog.close();
    }
  });
}

/** Returns the generations whose checkpoints the log must match: the active one and the builds, else the newest. */
async function generationsToCheck({
  readModel,
}: StoreConnection): Promise<GenerationCollections[]> {
  const { active, generations } = await readRegistry(readModel);
  const builds = generations.filter(({ state }) => state === 'building' || state === 'verifying');
  const current = [...generations.filter(({ id }) => id === active), ...builds];
  const ids = (current.length > 0 ? current : generations.slice(-1)).map(({ id }) => id);
  return ids.map(id => generationCollections(readModel, id));
}

export function appendCommand(invocation: Invocation<'append'>, config: Config): Promise<void> {
  const appends = !invocation.values.check;
  return withTarget({ config, appends }, async (target, { connection, generation }) => {
    const applied = appliedIn(target);
    await runAppend(invocation, {
      ...target,
      stdin: process.stdin,
      print: printLine,
      applied,
      parkedByAppend: async input => {
        requireOwn(generation);
        // Loaded on demand: it brings the code of a projector.
        const { parkedByAppend } = await import('./appending/parked-by-append.ts');
        return parkedByAppend(operatorStore(connection, generation.id), input, applied);
      },
    });
  });
}

export function importCommand(invocation: ImportInvocation, config: Config): Promise<void> {
  const appends = !invocation.values['dry-run'];
  return withTarget({ config, appends }, async (target, { connection, generation }) => {
    // Only this command needs the parsers for CSV and SQLite, so it alone loads them.
    const { runImport } = await import('./appending/import-budget.ts');
    const isTerminal = process.stdout.isTTY === true;
    const bar = startProgress({ title: 'Importing', isTerminal, print: printLine });
    const { readModel } = connection;
    await runImport(invocation, {
      ...target,
      now,
      bar,
      program: programName(process.env),
      readBudget: async budget => {
        requireOwn(generation);
        return readWholeBudget(readModel, generation.id, budget);
      },
      spaceNamed: (user, name) => findSpace(target.collections, user, name),
      applied: appliedIn(target, (done, total) => bar.update(done, total, 'Projecting')),
    });
  });
}

/** Needs no log. */
export function budgetListCommand(
  invocation: Invocation<'budget list'>,
  config: Config,
): Promise<void> {
  return withStore(config, async connection => {
    const { id } = await currentGeneration(connection);
    const collections = generationCollections(connection.readModel, id);
    const list = (user: string | null, most: number) => listBudgets(collections, user, most);
    await runBudgetList(invocation, { list, print });
  });
}

export function budgetDeleteCommand(
  invocation: Invocation<'budget delete'>,
  config: Config,
): Promise<void> {
  return withTarget({ config, appends: true }, target =>
    runBudgetDelete(invocation, {
      ...target,
      now,
      print: printLine,
      ask: question => confirm(question, process),
      applied: appliedIn(target),
    }),
  );
}

/** Returns the wait for events, which a signal to the process ends. */
function appliedIn(
  { collections, signal }: StoppableTarget,
  progress: WaitOptions['progress'] = () => {},
): (positions: AwaitedPositions) => Promise<Waited> {
  return positions => awaitApplied(collections, positions, { progress, signal });
}
