import test from 'ava';
import { folderCoverage } from '../../scripts/test/folder-coverage.ts';

const file = (path: string, [lh, lf, brh, brf]: readonly [number, number, number, number]) =>
  `TN:\nSF:${path}\nDA:1,1\nLF:${lf}\nLH:${lh}\nBRF:${brf}\nBRH:${brh}\nend_of_record\n`;

const LCOV =
  file('src/http/a.ts', [9, 10, 1, 2]) +
  file('src/http/routes/b.ts', [10, 10, 2, 2]) +
  file('src/http-other/c.ts', [0, 100, 0, 100]);

test('the coverage of a folder adds up the files in and below it, and no others', t => {
  t.deepEqual(folderCoverage(LCOV, 'src/http'), { lines: 95, branches: 75 });
});

test('a folder missing in the report is not covered', t => {
  t.deepEqual(folderCoverage(LCOV, 'src/gone'), { lines: 0, branches: 0 });
});
