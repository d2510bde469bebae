// Opens the stores and the event log that an operator's command needs, runs the command, and closes them.
import { PROJECTIONS_VERSION } from '../../projections/project.ts';
import { ACCESS_DATABASE, ensureAccessIndexes } from '../access/connect.ts';
import { createSignInLinks } from '../access/sign-in-links.ts';
import { createTokenStore } from '../access/tokens.ts';
import { DamagedLogError } from '../event-log/damaged-log-error.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { MissingLogError } from '../event-log/missing-log.ts';
import type { AuditFacts } from '../process/audit.ts';
import type { Config } from '../process/config.ts';
import { UserError } from '../process/errors.ts';
import { stopSignal } from '../process/stopping.ts';
import { systemStatus } from '../projector/operate/system-status.ts';
import { withDamage } from '../projector/operate/unnoticed-damage.ts';
import { DOCUMENTS_MAX } from '../projector/projector.ts';
import { rebuildStream } from '../projector/shadow/rebuild-stream.ts';
import type { StoreConnection } from '../store/connect.ts';
import { fedOf } from '../store/generation-plan.ts';
import { readRegistry } from '../store/registry.ts';
import type { VerifySource } from '../verify/source.ts';
import { runAbandon } from './abandon.ts';
import { runExplain } from './explain.ts';
import { openFor, withStore } from './opening/open-for.ts';
import { operatorStore, originOf, storeParts } from './opening/system.ts';
import { type ParkedInvocation, runParked } from './operating/parked.ts';
import { type RebuildContext, runRebuild, runRollback } from './rebuild.ts';
import { noReadModel, ownGeneration } from './services/generations.ts';
import { runSignIn } from './sign-in.ts';
import { runStatus } from './status.ts';
import type { Invocation } from './syntax/parse-command.ts';
import { print, printLine } from './terminal/print.ts';
import { runToken, type TokenInvocation } from './token.ts';
import { damagedLog, runVerify } from './verify.ts';

const now = () => new Date();

type Note = (facts: AuditFacts) => void;

type WithLog = (connection: StoreConnection, eventLog: EventLog) => Promise<void>;

/** Opens the log for a command that only reads; a missing log is never created. */
function withLog(config: Config, run: WithLog): Promise<void> {
  return withStore(config, async connection => {
    const eventLog = await openFor(connection, config, {});
    await run(connection, eventLog).finally(eventLog.close);
  });
}

export function tokenCommand(
  invocation: TokenInvocation,
  config: Config,
  note: Note,
): Promise<void> {
  return withStore(config, async connection => {
    const access = connection.database(ACCESS_DATABASE);
    await ensureAccessIndexes(access);
    await runToken(invocation, { tokens: createTokenStore(access), now, print, note });
  });
}

export function signInCommand(invocation: Invocation<'sign-in'>, config: Config): Promise<void> {
  return withStore(config, async connection => {
    const access = connection.database(ACCESS_DATABASE);
    await ensureAccessIndexes(access);
    const links = createSignInLinks(access);
    const origin = await originOf(config);
    const issuer = config.oidc === null ? null : new URL(config.oidc.issuer).host;
    await runSignIn(invocation, { links, origin, issuer, now, print });
  });
}

export function parkedCommand(invocation: ParkedInvocation, config: Config): Promise<void> {
  return withStore(config, async connection => {
    const { active, generations } = await readRegistry(connection.readModel);
    const fed = fedOf(generations).map(({ id, version }) => {
      const store = operatorStore(connection, id);
      return { id, version, answers: id === active, store };
    });
    if (fed.length === 0) throw noReadModel();
    fed.sort((a, b) => Number(b.answers) - Number(a.answers));
    const shows = invocation.name === 'parked list' && invocation.values.json ? print : printLine;
    const version = PROJECTIONS_VERSION;
    await runParked(invocation, { generations: fed, version, now, print: shows });
  });
}

export function verifyCommand(invocation: Invocation<'verify'>, config: Config): Promise<void> {
  const run: WithSource = (source, signal) => {
    const isTerminal = process.stdout.isTTY === true;
    return runVerify(invocation, { source, now, signal, print, isTerminal });
  };
  return withSource(config, run).catch(error => {
    throw isLogLost(error) ? damagedLog(error) : error;
  });
}

export function explainCommand(invocation: Invocation<'explain'>, config: Config): Promise<void> {
  const shows = invocation.values.json ? print : printLine;
  return withSource(config, (source, signal) =>
    runExplain(invocation, { source, signal, print: shows }),
  );
}

type WithSource = (source: VerifySource, signal: AbortSignal) => Promise<void>;

/** Opens what is needed to fold the active generation's log again. */
function withSource(config: Config, run: WithSource): Promise<void> {
  return withLog(config, async (connection, eventLog) => {
    const { id: generation } = await ownGeneration(connection);
    const store = storeParts(connection, generation);
    const { signal } = stopSignal(() => {});
    await run({ database: connection.readModel, generation, store, eventLog }, signal);
  });
}

/** Returns whether the log cannot be opened because it is gone or damaged. */
function isLogLost(error: unknown): error is UserError {
  if (!(error instanceof UserError)) return false;
  // A missing log from which nothing was projected is not lost: it is not created yet.
  const isGone = error.cause instanceof MissingLogError && error.message.startsWith('DATA_LOSS');
  return isGone || error instanceof DamagedLogError;
}

export async function rebuildCommand(
  { values }: Invocation<'rebuild'>,
  config: Config,
): Promise<void> {
  if (values.abandon) {
    return withStore(config, connection => runAbandon({ connection, print }));
  }
  return withLog(config, (connection, eventLog) =>
    runRebuild(values.budget ?? null, rebuildContext(connection, eventLog)),
  );
}

export function rollbackCommand(config: Config): Promise<void> {
  return withStore(config, connection => runRollback({ connection, now, print }));
}

function rebuildContext(connection: StoreConnection, eventLog: EventLog): RebuildContext {
  const { signal } = stopSignal(() => {});
  const rebuildBudget: RebuildContext['rebuildBudget'] = async (budget, begun) => {
    const { id } = await ownGeneration(connection);
    begun();
    const store = operatorStore(connection, id);
    const limits = { documentsMax: DOCUMENTS_MAX };
    return rebuildStream(store, budget, { eventLog, limits, now: now(), signal });
  };
  const isTerminal = process.stdout.isTTY === true;
  const version = PROJECTIONS_VERSION;
  return { connection, eventLog, now, print, signal, isTerminal, version, rebuildBudget };
}

export function statusCommand({ values }: Invocation<'status'>, config: Config): Promise<void> {
  return withStore(config, async connection => {
    const of = (eventLog: EventLog | null) => systemStatus(connection.readModel, eventLog, now());
    const read = async () => {
      const eventLog = await openFor(connection, config, {});
      const found = of(eventLog).then(one => withDamage(connection.readModel, eventLog, one));
      return found.finally(eventLog.close);
    };
    const shows = values.json ? print : printLine;
    await runStatus(values, { status: read, stored: () => of(null), print: shows });
  });
}
