// Imports: appends a person's exported budget as the events of a new budget, or what has changed since
// an earlier import as events of that one: all of them or none.
import { createHash } from 'node:crypto';
import type { Head } from '../../../projections/documents.ts';
import { withTypes } from '../../import/account-types.ts';
import { checkApplied, type ImportedEvent, importEvents } from '../../import/import-events.ts';
import { describeForFile } from '../../import/import-problems.ts';
import { matchPlan } from '../../import/into/match-plan.ts';
import { updateEvents } from '../../import/into/update-budget.ts';
import { type BudgetPlan, count } from '../../import/plan.ts';
import { UnfinishedError, UserError } from '../../process/errors.ts';
import { loadHead } from '../../store/heads.ts';
import type { AwaitedPositions } from '../opening/await-applied.ts';
import type { AppendTarget } from '../opening/target.ts';
import { usageError } from '../syntax/parse-command.ts';
import { appendChecked, checkInput, knownTails } from './append-events.ts';
import { describeDryRun, describeImported, describePlan } from './import-report.ts';
import type { ImportContext, ImportRequest, ParsedExport } from './import-request.ts';

/** A budget that is read for an update may lag behind the log, or change before the append: so often it is read again. */
const ATTEMPTS_MAX = 3;

/** @throws UserError that lists every problem with its place in the file; nothing was appended then */
export async function importBudget(request: ImportRequest, context: ImportContext): Promise<void> {
  context.bar.update(0, 1, `Reading ${request.path}`);
  try {
    const parsed = await request.read();
    const plan = withTypes(parsed.plan, request.types);
    checkDifferences(plan, request);
    context.bar.update(1, 1);
    const prepared =
      request.into === null
        ? await prepareNew(request, { ...parsed, plan }, context)
        : await prepareUpdate(request, { ...parsed, plan }, context);
    await finish(request, prepared, context);
  } finally {
    context.bar.stop();
  }
}

/** The events of an import, before they are appended. */
interface Prepared {
  readonly budgetId: string;
  readonly events: readonly ImportedEvent[];
  readonly plan: BudgetPlan;
  /** What was done, in the words of the result. */
  readonly title: string;
}

async function finish(
  { isDryRun, into, user }: ImportRequest,
  { budgetId, events, plan, title }: Prepared,
  context: ImportContext,
): Promise<void> {
  const { bar, program } = context;
  const report = (lines: readonly string[]) => {
    for (const line of lines) bar.say(line);
  };
  bar.update(0, 1, `Checking ${count(events.length, 'event')}`);
  const checked = await checkInput(
    linesOf(events),
    context,
    ({ line, reason }) => `${events[line - 1]?.origin ?? ''}: ${describeForFile(reason)}`,
  );
  // The events of an update were applied while they were made.
  if (into === null) await checkApplied(events);
  bar.update(1, 1);
  if (isDryRun) {
    report(describeDryRun(events, plan));
    return;
  }
  if (events.length === 0) {
    report([`Budget ${budgetId} is up to date: nothing was appended`]);
    return;
  }
  bar.update(0, 1, `Appending ${count(events.length, 'event')}`);
  context.note({ budget: budgetId });
  const appended = await appendChecked(checked, context);
  bar.update(1, 1);
  const made = [...describePlan(plan), ...plan.differences, ...plan.notes, ...appended];
  report([title, ...made.map(line => `  ${line}`)]);
  const waited = await context.applied(positionsOf(events));
  if (waited.kind !== 'applied') throw new UnfinishedError(waited.text);
  // What is imported stays so, also where its balances cannot be read.
  if (context.isReadable)
    report(describeImported(await context.readBudget({ id: budgetId, kinds: ['accounts'] })));
  if (user !== null)
    report([`Next        ${program} token issue --user ${user} --budget ${budgetId}`]);
}

async function prepareNew(
  request: ImportRequest,
  { plan, fileName, identity }: ParsedExport,
  context: ImportContext,
): Promise<Prepared> {
  const { kind, user } = request;
  const currency = currencyOf(request, plan);
  const name = request.name ?? plan.name ?? fileName;
  const space = await spaceOf(request, context);
  const hashed = [...identity, currency, user ?? '', request.space ?? ''];
  const budgetId = await freeId(context, hashed, { prefix: kind, isTaken: one => one.deleted });
  const spaceId = space.id ?? `space-${digest([budgetId])}`;
  const isNew = space.name !== null || space.id === null;
  await checkStreams(context, budgetId, isNew ? null : spaceId);
  const events = importEvents(plan, {
    budgetId,
    name,
    currency,
    spaceId,
    newSpace: isNew ? { name: space.name ?? name, memberId: user ?? '' } : null,
    source: `/budgeting/import/${kind}`,
    time: context.now().toISOString(),
  });
  const title = `Imported ${JSON.stringify(name)} as budget ${budgetId} of space ${spaceId}`;
  return { budgetId, events, plan, title };
}

async function prepareUpdate(
  request: ImportRequest,
  { plan: parsed, identity, hasIds }: ParsedExport,
  context: ImportContext,
): Promise<Prepared> {
  const { kind, into, name } = request;
  const budgetId = into ?? '';
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const tail = (await knownTails(context, new Set([budgetId]))).get(budgetId);
    const sequence = tail?.sequence ?? 0;
    if (sequence === 0) throw new UserError(`Expected the id of a budget, got ${budgetId}`);
    const waited = await context.applied(new Map([[budgetId, sequence]]));
    if (waited.kind !== 'applied') throw new UserError(`${waited.text}\nNothing was appended`);
    const budget = await context.readBudget({ id: budgetId });
    if (!budget?.head.budget) {
      const what = budget?.head.deleted
        ? ', which was deleted; an import without --into makes another one'
        : '';
      throw new UserError(`Expected the id of a budget, got ${budgetId}${what}`);
    }
    const currency = request.currency ?? parsed.currency;
    if (currency !== null && currency !== budget.head.budget.currency) {
      throw new UserError(
        `Expected a file in ${budget.head.budget.currency}, as budget ${budgetId} is, got one in ${currency}; nothing was appended`,
      );
    }
    const time = context.now().toISOString();
    const stamp = {
      source: `/budgeting/import/${kind}`,
      time,
      run: digest([...identity, time]).slice(0, 12),
    };
    const plan = hasIds ? parsed : matchPlan(parsed, budget);
    const events = updateEvents(plan, budget, { ...stamp, name });
    // Somebody else may have appended meanwhile.
    const now = (await knownTails(context, new Set([budgetId]))).get(budgetId)?.sequence;
    if (now !== budget.head.sequence) continue;
    return { budgetId, events, plan, title: `Brought budget ${budgetId} up to date` };
  }
  throw new UserError(
    `Budget ${budgetId} changed during each of ${ATTEMPTS_MAX} attempts: nothing was appended; try again when nobody writes to it`,
  );
}

function checkDifferences(
  { differences }: BudgetPlan,
  { acceptsDifferences }: ImportRequest,
): void {
  if (differences.length === 0 || acceptsDifferences) return;
  const hint = 'Nothing was appended; --accept-differences imports it as it is';
  throw new UserError([...differences, hint].join('\n'));
}

function currencyOf(request: ImportRequest, plan: BudgetPlan): string {
  const currency = request.currency ?? plan.currency;
  if (currency !== null) return currency;
  const message = 'Expected --currency with an ISO 4217 code, got none, and none in the file';
  throw usageError(request.usage, message);
}

/** Returns the space of the new budget: an existing one by id; a new one by name; with neither, a new one. */
async function spaceOf(
  { user, space: name }: ImportRequest,
  context: ImportContext,
): Promise<{ readonly id: string | null; readonly name: string | null }> {
  if (user === null) return { id: name, name: null };
  if (name === null) return { id: null, name: null };
  const found = await context.spaceNamed(user, name);
  if (found !== null) return { id: found, name: null };
  const id = await freeId(context, [user, name], {
    prefix: 'space',
    // It was made by this name for this user, and renamed or left since.
    isTaken: ({ space }) =>
      space !== null && !(space.name === name && space.members.includes(user)),
  });
  return { id, name };
}

type Parts = readonly (string | Buffer)[];

/** Returns the first id that is not taken: of the parts, then of the parts with a number. */
async function freeId(
  { collections: { heads } }: ImportContext,
  parts: Parts,
  { prefix, isTaken }: { readonly prefix: string; isTaken(head: Head): boolean },
): Promise<string> {
  for (let count = 0; ; count += 1) {
    const id = `${prefix}-${digest(count === 0 ? parts : [...parts, String(count)])}`;
    const head = await loadHead(heads, id);
    if (head === null || !isTaken(head)) return id;
  }
}

/** Hashes each part behind its length, so that moving bytes between neighbouring parts changes the digest. */
function digest(parts: Parts): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('hex').slice(0, 32);
}

/** Refuses a repeated import and an unknown space now; a projector would notice them only after the append. */
async function checkStreams(
  target: AppendTarget,
  budgetId: string,
  space: string | null,
): Promise<void> {
  const tails = await knownTails(target, new Set(space === null ? [budgetId] : [budgetId, space]));
  if ((tails.get(budgetId)?.sequence ?? 0) > 0) {
    throw new UserError(
      `This file was imported already, as budget ${budgetId}; nothing was appended (--into brings it up to date with a later export)`,
    );
  }
  if (space === null) return;
  const head = await target.collections.heads.findOne({ _id: space });
  const isOther = head !== null && head.sequence > 0 && head.space === null;
  if (isOther || tails.get(space)?.sequence === 0) {
    throw new UserError(`Expected --space with the id of a space that there is, got ${space}`);
  }
}

function positionsOf(events: readonly ImportedEvent[]): AwaitedPositions {
  return new Map(events.map(({ event }) => [event.subject, event.sequence]));
}

function* linesOf(events: readonly ImportedEvent[]): Generator<Buffer> {
  for (const { event } of events) yield Buffer.from(`${JSON.stringify(event)}\n`);
}
