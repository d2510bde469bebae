// `budget list`: what budgets there are.
import { wrongUser } from '../access/token-request.ts';
import type { BudgetList, ListedBudget } from '../store/reading/queries/budgets.ts';
import { store } from './opening/openings.ts';
import { command, JSON_OUTPUT, USER } from './syntax/command.ts';
import { alignColumns } from './terminal/print.ts';

interface ListContext {
  readonly print: (line: string) => void;
  /** Lists the budgets of a user, or all. */
  readonly list: (user: string | null, budgetsMax: number) => Promise<BudgetList>;
}

const SHOWN_MAX = 1000;

export const budgetListCommand = command({
  name: 'budget list',
  usage: '[--user U] [--json]',
  summary: 'lists budgets: id, name, space, members, rows, position, why one is held',
  options: {
    user: { ...USER, about: 'Only budgets that this user reaches; default: all, 1000 at most' },
    json: JSON_OUTPUT,
  },
  refuse: ({ user }) => wrongUser(user),
  examples: ['budget list --user anna'],
  async run({ values }, { list, print }: ListContext) {
    const { budgets, isCut } = await list(values.user ?? null, SHOWN_MAX);
    if (values.json) {
      print(JSON.stringify({ budgets, isCut }));
      return;
    }
    for (const line of table(budgets)) print(line);
    if (isCut) print(`There are more than ${SHOWN_MAX}: --user U lists those of one user`);
  },
  opens: (environment, run) =>
    store(environment, async ({ connection, print }) => {
      const { currentGeneration } = await import('./opening/generation.ts');
      const { generationCollections } = await import('../store/collections.ts');
      const { listBudgets } = await import('../store/reading/queries/budgets.ts');
      const { id } = await currentGeneration(connection);
      const collections = generationCollections(connection.readModel, id);
      await run({ list: (user, most) => listBudgets(collections, user, most), print });
    }),
});

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
  return alignColumns([HEADER, ...rows]);
}
