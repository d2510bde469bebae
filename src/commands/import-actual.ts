// `import actual`: makes or updates a budget from an export of Actual Budget.
import { basename, extname } from 'node:path';
import { utcDate } from '../process/calendar.ts';
import {
  COMMON,
  commonRequest,
  IMPORT,
  type ImportContext,
  WHERE,
} from './appending/import-request.ts';
import { command } from './syntax/command.ts';

const DATABASE = { pattern: /^db\.sqlite$/, words: 'named db.sqlite' };
const METADATA = { pattern: /^metadata\.json$/, words: 'named metadata.json' };

export const importActualCommand = command({
  name: 'import actual',
  usage: `FILE ${WHERE} [--currency C] [--name T] [--type ACCOUNT=TYPE]… [--dry-run]`,
  summary: 'makes or updates a budget from an export of Actual Budget',
  ...IMPORT,
  operands: { FILE: 'The zip archive of Actual Budget, or a folder with its two files' },
  options: COMMON,
  examples: [
    'import actual 2026-03-31-My-Finances.zip --user anna --currency EUR',
    'import actual 2026-04-30-My-Finances.zip --into BUDGET',
  ],
  async run(invocation, context: ImportContext) {
    const { importBudget } = await import('./appending/import-budget.ts');
    const { planActual } = await import('../import/actual/plan-actual.ts');
    const { readFiles } = await import('../import/read-files.ts');
    const common = commonRequest(invocation);
    const read = async () => {
      const [database, metadata] = await readFiles(common.path, [DATABASE, METADATA]);
      const plan = await planActual(database, metadata, utcDate(context.now()));
      const fileName = basename(common.path, extname(common.path));
      return { plan, fileName, identity: [database.bytes], hasIds: true };
    };
    await importBudget({ kind: 'actual', ...common, acceptsDifferences: false, read }, context);
  },
});
