// `npm run coverage`: fails if the tests, run before with NODE_V8_COVERAGE=coverage/tmp, cover too little of some folders.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderCoverage } from './test/folder-coverage.ts';

const FOLDERS = ['projections', 'src/access', 'src/http'];
const PERCENT_MIN = 95;

const root = join(import.meta.dirname, '..', '..');
const lcov = readFileSync(join(root, 'coverage', 'lcov.info'), 'utf8');
for (const folder of FOLDERS) {
  const { lines, branches } = folderCoverage(lcov, folder);
  const isEnough = Math.min(lines, branches) >= PERCENT_MIN;
  if (!isEnough) process.exitCode = 1;
  const verdict = isEnough ? '' : `, expected ${PERCENT_MIN} % of both`;
  process.stdout.write(
    `${folder}: ${lines.toFixed(1)} % of lines, ${branches.toFixed(1)} % of branches${verdict}\n`,
  );
}
