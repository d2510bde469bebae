// `budget list` and `budget delete`: what there is, and how an import is undone.

import type { Tail } from '../event-log/check-append.ts';
import { UserError } from '../process/errors.ts';
import { createEventBuilder } from '../process/event-builder.ts';
import type { BudgetList, ListedBudget } from '../store/reading/list-budgets.ts';
import {
  type AppendTarget,
  appendChecked,
  checkInput,
  knownTails,
} from './appending/append-events.ts';
import type { AwaitedPositions, Waited } from './appending/await-applied.ts';
import type { Invocation } from './syntax/parse-command.ts';

export interface ListContext {
  readonly print: (line: string) => void;
  /** Lists the budgets of a user, or all. */
  readonly list: (user: string | null, budgetsMax: number) => Promise<BudgetList>;
}

export interface DeleteContext extends AppendTarget {
  readonly now: () => Date;
  readonly print: (line: string) => void;
  /** Returns whether the person says yes; null where nobody can be asked. */
  readonly ask: (question: string) => Promise<boolean | null>;
  readonly applied: (positions: AwaitedPositions) => Promise<Waited>;
}

const SHOWN_MAX = 1000;

export async function runBudgetList(
  { values }: Invocation<'budget list'>,
  { list, print }: ListContext,
): Promise<void> {
  const { budgets, isCut } = await list(values.user ?? null, SHOWN_MAX);
  if (values.json) {
    print(JSON.stringify({ budgets, isCut }));
    return;
  }
  for (const line of table(budgets)) print(line);
  if (isCut) print(`There are more than ${SHOWN_MAX}: --user U lists those of one user`);
}

const HEADER = ['BUDGET', 'NAME', 'SPACE', 'MEMBERS', 'ROWS', 'POSITION', 'HELD'];

function table(budgets: readonly ListedBudget[]): string[] {
  if (budgets.length === 0) return ['There are no budgets'];
  const rows = budgets.map(({ id, name, spaceId, spaceName, members, rows, position, held }) => [
    id,
    name,
    spaceName ?? spaceId,
    members.join(', '),
    String(rows),
    String(position),
    held ?? '',
  ]);
  const all = [HEADER, ...rows];
  const widths = HEADER.map((_, at) => Math.max(...all.map(row => row[at]?.length ?? 0)));
  return all.map(row =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** @throws UserError when the budget is not there, or nobody confirmed */
export async function runBudgetDelete(
  { values, operands: [id = ''] }: Invocation<'budget delete'>,
  context: DeleteContext,
): Promise<void> {
  const { collections, print, ask, now } = context;
  const head = await collections.heads.findOne({ _id: id });
  if (!head?.budget) throw new UserError(`Expected the id of a budget, got ${id}`);
  const question = `Delete budget ${id} (${JSON.stringify(head.budget.name)}) and everything in it, for ever?`;
  const answer = values.yes ? true : await ask(question);
  if (answer === null) throw new UserError(`${question}\nNobody can be asked here: give --yes`);
  if (!answer) throw new UserError('Nothing was deleted');
  const tail = (await knownTails(context, new Set([id]))).get(id);
  const first = tail ? nextAfter(tail) : head.sequence + 1;
  const time = now().toISOString();
  const build = createEventBuilder({ subject: id, source: '/budgeting/budget', first, run: time });
  const event = build('budget.deleted', {}, time);
  const line = Buffer.from(`${JSON.stringify(event)}\n`);
  const checked = await checkInput([line], context, ({ reason }) => `${id}: ${reason}`);
  await appendChecked(checked, context);
  const waited = await context.applied(new Map([[id, first]]));
  print(waited.kind === 'applied' ? `Budget ${id} is deleted` : waited.text);
}

/** The first number that is free; what waits behind a gap is dropped with the budget. */
function nextAfter({ sequence, waiting }: Pick<Tail, 'sequence' | 'waiting'>): number {
  let next = sequence + 1;
  while (waiting.has(next)) next += 1;
  return next;
}
