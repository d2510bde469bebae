// The arguments of `import`.
import type { CommandSyntax, GivenValues, OptionSyntax } from './command-syntax.ts';

const COMMON = {
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
} as const satisfies Record<string, OptionSyntax>;

const ACCEPT = {
  'accept-differences': {
    about:
      'Imports a file whose own sums are not what its rows add up to; by default it is refused',
  },
} as const satisfies Record<string, OptionSyntax>;

const DRY_RUN = {
  'dry-run': { about: 'Appends nothing; prints the events by type and the balances after them' },
} as const satisfies Record<string, OptionSyntax>;

const WHERE = '--user U|--space S|--into BUDGET';
const DETAILS =
  'Appends all of it, or nothing and names each problem with its line. Then it waits until the budget can be read. With --into it appends what differs from the budget as it is now.';

export const IMPORT_COMMANDS = {
  'import ynab': {
    usage: `FILE ${WHERE} [--currency C] [--name T] [--type ACCOUNT=TYPE]… [--off-budget ACCOUNT]… [--date-format DMY|MDY] [--accept-differences] [--dry-run]`,
    summary: 'makes or updates a budget from an export of YNAB',
    details: DETAILS,
    operands: { FILE: 'The zip archive of YNAB, a folder with its files, or a .json of its API' },
    options: {
      ...COMMON,
      'off-budget': {
        value: 'ACCOUNT',
        about: 'This account is off budget, and those without the option are on budget',
        repeats: true,
      },
      'date-format': {
        value: 'DMY|MDY',
        about: 'Order of day and month; needed if no date of the file decides it',
        choices: ['DMY', 'MDY'],
      },
      ...ACCEPT,
      ...DRY_RUN,
    },
    refuse: refuseImport,
    examples: [
      'import ynab "Home as of 2026-03-31.zip" --user anna --currency EUR',
      'import ynab "Home as of 2026-03-31.zip" --user anna --currency EUR --type Bank=savings --dry-run',
    ],
  },
  'import actual': {
    usage: `FILE ${WHERE} [--currency C] [--name T] [--type ACCOUNT=TYPE]… [--accept-differences] [--dry-run]`,
    summary: 'makes or updates a budget from an export of Actual Budget',
    details: DETAILS,
    operands: { FILE: 'The zip archive of Actual Budget, or a folder with its two files' },
    options: { ...COMMON, ...ACCEPT, ...DRY_RUN },
    refuse: refuseImport,
    examples: [
      'import actual 2026-03-31-My-Finances.zip --user anna --currency EUR',
      'import actual 2026-04-30-My-Finances.zip --into BUDGET',
    ],
  },
} as const satisfies Record<string, CommandSyntax>;

function refuseImport({ user, space, into, type }: GivenValues): string | null {
  if (into === undefined && user === undefined && space === undefined) {
    return 'Expected --user, --space or --into, got none of them';
  }
  if (into !== undefined && (user !== undefined || space !== undefined)) {
    return 'Expected --into without --user and --space, got both';
  }
  const types = Array.isArray(type) ? type : [];
  const wrong = types.find(text => text.lastIndexOf('=') < 1);
  return wrong === undefined ? null : `Expected --type ACCOUNT=TYPE, got ${wrong}`;
}
