// `budget delete`: deletes a budget, as an import is undone, once the person at the terminal agrees.
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { UnfinishedError, UserError } from '../process/errors.ts';
import { createEventBuilder } from '../process/event-builder.ts';
import { printable } from '../process/printable.ts';
import type { Waited } from './opening/await-applied.ts';
import { store, target } from './opening/openings.ts';
import type { AppendTarget } from './opening/target.ts';
import { command } from './syntax/command.ts';

interface DeleteContext extends Pick<AppendTarget, 'collections' | 'print'> {
  /** Returns whether the person says yes; null where nobody can be asked. */
  readonly ask: (question: string) => Promise<boolean | null>;
  /** Opens the log to append to. Nobody else can append from then on, so a person is asked before. */
  readonly open: (run: (target: AppendTarget) => Promise<void>) => Promise<void>;
}

export const budgetDeleteCommand = command({
  name: 'budget delete',
  usage: 'ID [--yes]',
  summary: 'deletes a budget and everything in it; asks before',
  operands: { ID: 'Id of the budget' },
  options: { yes: { about: 'Deletes without asking' } },
  examples: ['budget delete groceries-2026 --yes'],
  audit: { operand: true },
  async run({ values, operands: [id = ''] }, context: DeleteContext) {
    const { collections, print, ask, open } = context;
    const head = await collections.heads.findOne({ _id: id });
    if (head?.deleted) return print(`Budget ${id} is deleted`);
    if (!head?.budget) throw new UserError(`Expected the id of a budget, got ${id}`);
    const question = `Delete budget ${id} (${JSON.stringify(head.budget.name)}) and everything in it, for ever?`;
    const answer = values.yes ? true : await ask(question);
    if (answer === null) throw new UserError(`${question}\nNobody can be asked here: give --yes`);
    if (!answer) throw new UserError('Nothing was deleted');
    await open(async target => {
      const waited = await deleteBudget(id, target);
      if (waited.kind === 'applied') return print(`Budget ${id} is deleted`);
      throw new UnfinishedError(
        `The deletion of budget ${id} is recorded in the log, and not applied yet. ${waited.text}`,
      );
    });
  },
  opens: (environment, run) =>
    store(environment, async context => {
      const { currentGeneration } = await import('./opening/generation.ts');
      const { generationCollections } = await import('../store/collections.ts');
      const { connection, print } = context;
      const { id } = await currentGeneration(connection);
      await run({
        print,
        collections: generationCollections(connection.readModel, id),
        ask: confirm,
        open: write => target(environment, write),
      });
    }),
});

/**
 * Asks the person at the terminal. Returns whether the answer is yes, and not Ctrl+C or Ctrl+D; null where no person is
 * there.
 */
async function confirm(question: string): Promise<boolean | null> {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) return null;
  const lines = createInterface({ input: stdin, output: stdout });
  // Without an answer the question itself would wait for ever (Ctrl+D), or reject (Ctrl+C).
  const closed = once(lines, 'close').then(() => null);
  lines.once('SIGINT', () => lines.close());
  try {
    const asked = lines.question(`${printable(question)} [y/N] `).catch(() => null);
    const answer = await Promise.race([asked, closed]);
    if (answer === null) stdout.write('\n');
    return /^y(?:es)?$/i.test((answer ?? '').trim());
  } finally {
    lines.close();
  }
}

/** Records the deletion, unless that was done before, and waits until it is applied. */
async function deleteBudget(id: string, context: AppendTarget): Promise<Waited> {
  const { nextAfter } = await import('../event-log/check-append.ts');
  const { appendChecked, checkInput, knownTails, recordedDeletion } = await import(
    './appending/append-events.ts'
  );
  const { collections, applied, now } = context;
  const { sequence = 0, deleted = false } = (await collections.heads.findOne({ _id: id })) ?? {};
  // By somebody else, while a person was asked.
  if (deleted) return { kind: 'applied', deleted: [] };
  // What waits behind a gap is dropped with the budget.
  const tail = (await knownTails(context, new Set([id]))).get(id);
  const first = tail ? nextAfter(tail, tail.sequence) : sequence + 1;
  const earlier = await recordedDeletion(context, id, sequence);
  if (earlier === null) {
    const time = now().toISOString();
    const build = createEventBuilder({
      subject: id,
      source: '/budgeting/budget',
      first,
      run: time,
    });
    const event = build('budget.deleted', {}, time);
    const line = Buffer.from(`${JSON.stringify(event)}\n`);
    const checked = await checkInput([line], context, ({ reason }) => `${id}: ${reason}`);
    await appendChecked(checked, context);
  }
  return await applied(new Map([[id, earlier ?? first]]));
}
