// What all commands of `import` have in common: their options, what these ask for, and what the commands open.
import type { BudgetPlan } from '../../import/plan.ts';
import type { BudgetToRead, WholeBudget } from '../../store/reading/whole-budget.ts';
import { target } from '../opening/openings.ts';
import type { AppendTarget } from '../opening/target.ts';
import type {
  Environment,
  GivenValues,
  Invocation,
  Opening,
  OptionSyntax,
  Values,
} from '../syntax/command.ts';
import { programName } from '../terminal/print.ts';
import type { ProgressBar } from '../terminal/progress.ts';

export interface ImportContext extends AppendTarget, Pick<Environment, 'note'> {
  readonly bar: ProgressBar;
  /** How a person calls the program: `budgeting`, or `npx budgeting` in a checkout. */
  readonly program: string;
  /** False when another version of the projections made the generation. */
  readonly isReadable: boolean;
  /** Reads a budget as it is now; null for a stream that is not known. */
  readonly readBudget: (budget: BudgetToRead) => Promise<WholeBudget | null>;
  /** Returns the id of the user's space of that name, or null. */
  readonly spaceNamed: (user: string, name: string) => Promise<string | null>;
}

export interface ImportRequest {
  readonly kind: 'ynab' | 'actual';
  /** How the command is called. */
  readonly usage: string;
  readonly path: string;
  readonly user: string | null;
  /** Name or id of a space. */
  readonly space: string | null;
  /** Id of the budget to bring up to date; null makes a new one. */
  readonly into: string | null;
  readonly currency: string | null;
  readonly name: string | null;
  /** Types by the name of the account. */
  readonly types: ReadonlyMap<string, string>;
  readonly isDryRun: boolean;
  /** Whether a file is imported whose own sums are not what its rows add up to. */
  readonly acceptsDifferences: boolean;
  /** @throws UserError that lists every problem with its place in the file */
  readonly read: () => Promise<ParsedExport>;
}

export interface ParsedExport {
  readonly plan: BudgetPlan;
  /** The budget's name, where the file has none. */
  readonly fileName: string;
  /** Derives the budget's id: importing the same file with the same options again is refused. */
  readonly identity: readonly (string | Buffer)[];
  /** The file names its things by ids that later exports repeat. */
  readonly hasIds: boolean;
}

export const COMMON = {
  user: {
    value: 'U',
    about:
      'Puts the budget into a space of this user: the one that --space names, else a new one with the name of the budget',
  },
  space: {
    value: 'S',
    about: 'With --user the name of the space, which is made if there is none; alone its id',
  },
  into: {
    value: 'BUDGET',
    about: 'Brings the budget with this id up to date, instead of making a new one',
  },
  currency: {
    value: 'C',
    about: 'ISO 4217 code of the budget; required where the file names none',
  },
  name: { value: 'T', about: 'Name of the budget; default: the one in the file' },
  type: {
    value: 'ACCOUNT=TYPE',
    about: 'Type of an account, by its name, such as Bank=savings',
    repeats: true,
  },
  'dry-run': { about: 'Appends nothing; prints the events by type and the balances after them' },
} as const satisfies Record<string, OptionSyntax>;

export const WHERE = '--user U|--space S|--into BUDGET';
const opens: Opening<ImportContext> = (environment, run) =>
  target(environment, async context => {
    const { findSpace, readWholeBudget } = await import('../../store/reading/whole-budget.ts');
    const { isOwn, requireOwn } = await import('../opening/generation.ts');
    const { startProgress } = await import('../terminal/progress.ts');
    const { connection, collections, generation, isTerminal } = context;
    const bar = startProgress({ title: 'Importing', isTerminal, print: context.print });
    await run({
      ...context,
      bar,
      program: programName(environment.env),
      isReadable: isOwn(generation),
      async readBudget(budget) {
        requireOwn(generation);
        return readWholeBudget(connection.readModel, generation.id, budget);
      },
      spaceNamed: (user, name) => findSpace(collections, user, name),
      applied: positions =>
        context.applied(positions, (done, total) => {
          if (total > 0) bar.update(done, total, 'Projecting');
        }),
    });
  });

/** What is the same in each command. */
export const IMPORT = {
  details:
    'Appends all of it, or nothing and names each problem with its line. Then it waits until the budget can be read. With --into it appends what differs from the budget as it is now.',
  refuse,
  audit: { ids: ['user', 'space', 'into'], unless: 'dry-run' },
  opens,
} as const;

function refuse({ user, space, into, type }: GivenValues): string | null {
  if (into === undefined && user === undefined && space === undefined) {
    return 'Expected --user, --space or --into, got none of them';
  }
  if (into !== undefined && (user !== undefined || space !== undefined)) {
    return 'Expected --into without --user and --space, got both';
  }
  const types = Array.isArray(type) ? type : [];
  const wrong = types.find(text => text.lastIndexOf('=') < 1);
  if (wrong !== undefined) return `Expected --type ACCOUNT=TYPE, got ${wrong}`;
  const names = [...types].map(accountOf);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? null : `Expected one --type for account ${twice}, got several`;
}

/** Returns the request but for what each program's command adds. */
export function commonRequest({
  values,
  operands: [path = ''],
  usage,
}: Invocation<Values<typeof COMMON>>): Omit<ImportRequest, 'kind' | 'read' | 'acceptsDifferences'> {
  const { user = null, space = null, into = null, currency = null, name = null, type } = values;
  return {
    ...{ usage, path, user, space, into, currency, name },
    types: typesOf(type ?? []),
    isDryRun: values['dry-run'] === true,
  };
}

function typesOf(texts: readonly string[]): Map<string, string> {
  return new Map(
    texts.map(text => {
      const name = accountOf(text);
      return [name, text.slice(name.length + 1)];
    }),
  );
}

/** Names may contain the sign, types do not. */
function accountOf(type: string): string {
  return type.slice(0, type.lastIndexOf('='));
}
