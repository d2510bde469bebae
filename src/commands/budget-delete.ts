// `budget delete`: deletes a budget, as an import is undone.
import { UnfinishedError, UserError } from '../process/errors.ts';
import { createEventBuilder } from '../process/event-builder.ts';
import { target } from './opening/openings.ts';
import type { AppendTarget } from './opening/target.ts';
import { command } from './syntax/command.ts';

interface DeleteContext extends AppendTarget {
  /** Returns whether the person says yes; null where nobody can be asked. */
  readonly ask: (question: string) => Promise<boolean | null>;
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
    const { nextAfter } = await import('../event-log/check-append.ts');
    const { appendChecked, checkInput, knownTails } = await import('./appending/append-events.ts');
    const { recordedDeletion } = await import('./appending/recorded-deletion.ts');
    const { collections, print, ask, now } = context;
    const head = await collections.heads.findOne({ _id: id });
    if (!head?.budget) throw new UserError(`Expected the id of a budget, got ${id}`);
    const question = `Delete budget ${id} (${JSON.stringify(head.budget.name)}) and everything in it, for ever?`;
    const answer = values.yes ? true : await ask(question);
    if (answer === null) throw new UserError(`${question}\nNobody can be asked here: give --yes`);
    if (!answer) throw new UserError('Nothing was deleted');
    // What waits behind a gap is dropped with the budget.
    const tail = (await knownTails(context, new Set([id]))).get(id);
    const first = tail ? nextAfter(tail, tail.sequence) : head.sequence + 1;
    const earlier = await recordedDeletion(context, id, head.sequence);
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
    const waited = await context.applied(new Map([[id, earlier ?? first]]));
    if (waited.kind === 'applied') return print(`Budget ${id} is deleted`);
    throw new UnfinishedError(
      `The deletion of budget ${id} is recorded in the log, and not applied yet. ${waited.text}`,
    );
  },
  opens: (environment, run) =>
    target(environment, async context => {
      const { confirm } = await import('./terminal/confirm.ts');
      await run({ ...context, ask: question => confirm(question, process) });
    }),
});
