// Tables of commands: a name of the read model stays in its cell.
import test from 'ava';
import { alignColumns } from '../../../src/commands/terminal/print.ts';

test('a cell with line feeds, tabs or control characters makes no other row and no other column', t => {
  const rows = [
    ['BUDGET', 'NAME', 'ROWS'],
    ['budget-1', 'Ours\nbudget-2\tRent\u001b[2J', '3'],
    ['budget-3', 'Mine', '10'],
  ];
  t.deepEqual(alignColumns(rows), [
    'BUDGET    NAME                           ROWS',
    'budget-1  Ours\\nbudget-2\\tRent\\u001b[2J  3',
    'budget-3  Mine                           10',
  ]);
});
