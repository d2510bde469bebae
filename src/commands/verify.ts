// `verify`: compares the read model with the log; exits with 1 on differences, with 3 on a damaged log.
import { UserError } from '../process/errors.ts';
import { recordVerification, type VerificationScope } from '../store/verifications.ts';
import { differenceText } from '../verify/difference.ts';
import type { VerifyReport } from '../verify/report.ts';
import type { VerifySource } from '../verify/source.ts';
import { type VerifyRequest, verify } from '../verify/verify.ts';
import type { Invocation } from './syntax/parse-command.ts';
import { startProgress } from './terminal/progress.ts';

export interface VerifyContext {
  readonly source: VerifySource;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
  readonly isTerminal: boolean;
}

/** Exit code for a damaged log; it takes precedence over differences of the read model. */
const DAMAGED_EXIT_CODE = 3;

/**
 * @throws UserError with exit code 1 when the read model differs from the log, with exit code 3 when the log is damaged
 */
export async function runVerify(
  { values }: Invocation<'verify'>,
  context: VerifyContext,
): Promise<void> {
  const sample = values.sample === undefined ? null : Number(values.sample);
  const request = { stream: values.budget ?? null, sample };
  const { print, isTerminal } = context;
  const show = values.json ? () => {} : print;
  const title = 'Verifying the read model';
  if (!isTerminal) show(title);
  const bar = startProgress({ title, isTerminal: isTerminal && !values.json, print: show });
  const report = await verify(context.source, request, {
    signal: context.signal,
    progress: bar.update,
  })
    .catch(error => {
      // A stopped run has no result: streams that were read only in part would all look different.
      throw context.signal.aborted ? new UserError('Stopped before all was verified') : error;
    })
    .finally(bar.stop);
  if (values.json) print(JSON.stringify(report));
  else for (const line of describe(report)) print(line);
  await record(report, request, context);
  if (report.damages > 0) {
    throw new UserError(DAMAGED, { exitCode: DAMAGED_EXIT_CODE });
  }
  if (report.differences > 0) throw new UserError(adviceOn(report));
  if (report.leftOut.length > 0 && request.sample === null) throw new UserError(LEFT_OUT);
  if (request.stream !== null && report.streams === 0) {
    throw new UserError(`Unknown stream ${request.stream}`);
  }
}

const LEFT_OUT = 'Not all streams were verified: run the command with more memory, as said above';
const DAMAGED = 'The log is damaged: do not rebuild from it, see DATA_LOSS in docs/operations.md';

/** Returns the error to throw when the log cannot be opened because it is gone or damaged. */
export function damagedLog(cause: UserError): UserError {
  return new UserError(`${cause.message}\n${DAMAGED}`, { cause, exitCode: DAMAGED_EXIT_CODE });
}

// If only the held states differ, retrying the queues may be enough.
function adviceOn({ named, differences }: VerifyReport): string {
  const isHeld = ({ what }: VerifyReport['named'][number]) => what.startsWith('head held');
  if (differences === named.length && named.every(isHeld)) {
    return 'The read model differs from the log: budgeting parked retry STREAM may mend it, budgeting rebuild does';
  }
  return 'The read model differs from the log: budgeting rebuild mends it';
}

/** Stores the result: the metrics and the operators' page show the last verifications. */
async function record(
  { streams, documents, leftOut, differences, damages }: VerifyReport,
  { stream, sample }: VerifyRequest,
  { source: { database, generation }, now }: VerifyContext,
): Promise<void> {
  if (streams + differences + damages === 0) return;
  const isAll = sample === null && leftOut.length === 0;
  const whole: VerificationScope = isAll ? 'all' : 'sample';
  const scope = stream === null ? whole : 'stream';
  const at = now();
  const counts = { streams, documents, differences, damages };
  await recordVerification(database, { generation, scope, at, ...counts });
}

function describe(report: VerifyReport): string[] {
  const { streams, documents, leftOut, differences, named, damages, damage, warning } = report;
  const counts = `${streams} streams, ${documents} documents, ${differences} differences`;
  return [
    ...named.map(differenceText),
    ...moreOf(differences - named.length),
    ...damage,
    ...moreOf(damages - damage.length),
    ...leftOut,
    ...(warning === null ? [] : [`Warning: ${warning}`]),
    damages === 0
      ? counts
      : `${counts}, ${damages} ${damages === 1 ? 'damage' : 'damages'} of the log`,
  ];
}

function moreOf(count: number): string[] {
  return count > 0 ? [`and ${count} more`] : [];
}
