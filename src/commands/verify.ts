// `verify`: compares the read model with the log; exits with 1 on differences, with 3 on a damaged log.
import { damagedLog, UserError } from '../process/errors.ts';
import { counted } from '../process/printable.ts';
import type { VerificationScope } from '../store/verifications.ts';
import { differenceText } from '../verify/difference.ts';
import type { VerifyReport } from '../verify/report.ts';
import type { VerifyRequest } from '../verify/verify.ts';
import { source } from './opening/openings.ts';
import type { SourceContext } from './opening/store.ts';
import { command, JSON_OUTPUT } from './syntax/command.ts';

type VerifyContext = Pick<SourceContext, 'source' | 'signal' | 'print' | 'isTerminal'>;

export const verifyCommand = command({
  name: 'verify',
  usage: '[--sample N|--budget B] [--json]',
  summary: 'folds the log from scratch and names every difference from the stored documents',
  details: 'Exit code 1: there are differences. Exit code 3: the log is damaged.',
  options: {
    sample: { value: 'N', about: 'Only so many streams, chosen at random; from 1' },
    budget: { value: 'B', about: 'Only this budget (or space)' },
    json: JSON_OUTPUT,
  },
  refuse({ sample, budget }) {
    if (sample !== undefined && budget !== undefined) {
      return 'Expected --sample or --budget, got both';
    }
    if (sample === undefined || /^[1-9]\d{0,8}$/.test(String(sample))) return null;
    return `Expected --sample to be a number of streams from 1, got ${sample}`;
  },
  examples: ['verify --sample 100', 'verify --budget household'],
  /** @throws UserError with exit code 1 when the read model differs from the log, with 3 when the log is damaged */
  async run({ values }, context: VerifyContext) {
    const verification = await import('../verify/verify.ts');
    const { canDraw, startProgress } = await import('./terminal/progress.ts');
    const sample = values.sample === undefined ? null : Number(values.sample);
    const request = { stream: values.budget ?? null, sample };
    const { print, isTerminal } = context;
    const show = values.json ? () => {} : print;
    const title = 'Verifying the read model';
    if (!canDraw(isTerminal)) show(title);
    const { databaseTime } = await import('../store/registry.ts');
    const since = await databaseTime(context.source.database);
    const bar = startProgress({ title, isTerminal: isTerminal && !values.json, print: show });
    const report = await verification
      .verify(context.source, request, {
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
    const verdict = verdictOn(report, request);
    // What was found counts more than that it could not be stored.
    await record(report, { ...request, since }, context).catch(error => {
      throw verdict ?? error;
    });
    if (verdict !== null) throw verdict;
  },
  opens: source,
});

const LEFT_OUT = 'Not all streams were verified: run the command with more memory, as said above';

function verdictOn(report: VerifyReport, { sample, stream }: VerifyRequest): UserError | null {
  if (report.damages > 0) return damagedLog(null);
  if (report.differences > 0) return new UserError(adviceOn(report));
  if (report.leftOut.length > 0 && sample === null) return new UserError(LEFT_OUT);
  if (stream === null || report.streams > 0) return null;
  return new UserError(`Unknown stream ${stream}`);
}

// If only the held states differ, retrying the queues may be enough; an index needs no rebuild. Where the log differs from
// what was applied of it, a rebuild would stop at that event.
function adviceOn({ named, differences }: VerifyReport): string {
  if (named.some(({ what }) => what === 'the log')) {
    return 'An event that was applied cannot be applied as it is in the log now: compare the log with a backup before budgeting rebuild';
  }
  const isEach = (kind: string) =>
    differences === named.length && named.every(({ what }) => what.startsWith(kind));
  if (isEach('index of ')) {
    return 'The read model lacks indexes: a running projector builds them';
  }
  if (isEach('head held')) {
    return 'The read model differs from the log: budgeting parked retry STREAM may mend it, budgeting rebuild does';
  }
  return 'The read model differs from the log: budgeting rebuild mends it';
}

/** Stores the result: the metrics and the operators' page show the last verifications. */
async function record(
  { streams, documents, leftOut, differences, damages }: VerifyReport,
  { stream, sample, since }: VerifyRequest & { readonly since: Date },
  { source: { database, generation } }: VerifyContext,
): Promise<void> {
  const { databaseTime } = await import('../store/registry.ts');
  const { recordVerification } = await import('../store/verifications.ts');
  if (streams + differences + damages === 0) return;
  const isAll = sample === null && leftOut.length === 0;
  const whole: VerificationScope = isAll ? 'all' : 'sample';
  const scope = stream === null ? whole : 'stream';
  // As builds do: clocks of machines differ.
  const at = await databaseTime(database);
  const counts = { streams, documents, differences, damages };
  const one = stream !== null && { stream };
  await recordVerification(database, { generation, scope, ...one, at, ...counts }, since);
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
    damages === 0 ? counts : `${counts}, ${counted(damages, 'damage')} of the log`,
  ];
}

function moreOf(count: number): string[] {
  return count > 0 ? [`and ${count} more`] : [];
}
