// `verify`: holds the read model against the log; exit code 1 when anything differs.
import { UserError } from '../errors.ts';
import { differenceText } from '../projector/verify/compare.ts';
import {
  type VerifyReport,
  type VerifyRequest,
  type VerifySource,
  verify,
} from '../projector/verify/verify.ts';
import { recordVerification, type VerificationScope } from '../read-store/verifications.ts';
import { startProgress } from './progress.ts';
import { VERIFY_USAGE } from './usages.ts';
import { parseWords } from './words.ts';

export interface VerifyContext {
  readonly source: VerifySource;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
  readonly isTerminal: boolean;
}

/** @throws UserError with exit code 1 when the read model differs from the log */
export async function runVerify(args: string[], context: VerifyContext): Promise<void> {
  const { values } = parsed(args);
  const sample = values.sample === undefined ? null : sampleOf(values.sample);
  const request = { stream: values.budget ?? null, sample };
  const { print, isTerminal } = context;
  const say = values.json ? () => {} : print;
  const title = 'Verifying the read model';
  if (!isTerminal) say(title);
  const bar = startProgress(title, isTerminal && !values.json, say);
  const report = await verify(context.source, request, context.signal, bar.update)
    .catch(error => {
      // What was read by half would differ everywhere.
      throw context.signal.aborted ? new UserError('Stopped before all was verified') : error;
    })
    .finally(bar.stop);
  if (values.json) print(JSON.stringify(report));
  else for (const line of describe(report)) print(line);
  await keep(report, request, context);
  if (request.stream !== null && report.streams === 0) {
    throw new UserError(`Unknown or deleted stream ${request.stream}`);
  }
  if (report.differences > 0) {
    throw new UserError('The read model differs from the log: budgeting rebuild mends it');
  }
}

/** For the metrics of the projectors. */
async function keep(
  { streams, documents, differences }: VerifyReport,
  { stream, sample }: VerifyRequest,
  { source: { database, generation }, now }: VerifyContext,
): Promise<void> {
  if (streams === 0) return;
  const whole: VerificationScope = sample === null ? 'all' : 'sample';
  const scope = stream === null ? whole : 'stream';
  const at = now();
  await recordVerification(database, { generation, scope, at, streams, documents, differences });
}

function parsed(args: string[]) {
  const options = {
    sample: { type: 'string' },
    budget: { type: 'string' },
    json: { type: 'boolean' },
  } as const;
  return parseWords({ args, options }, VERIFY_USAGE);
}

function sampleOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UserError(`Expected --sample to be a number of streams from 1, got ${text}`);
}

function describe({ streams, documents, differences, named }: VerifyReport): string[] {
  const more = differences - named.length;
  return [
    ...named.map(differenceText),
    ...(more > 0 ? [`and ${more} more`] : []),
    `${streams} streams, ${documents} documents, ${differences} differences`,
  ];
}
