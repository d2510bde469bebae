// How ava runs the compiled tests.
/**
 * The first kind that fits says when a file's turn comes. Those that wait most of their time or take longest come early,
 * beside the searches of models, which keep the processors busy meanwhile; those that only count come late: they are
 * short, and keep all processors busy until the end.
 */
const KINDS = [
  [/test\/together\/models-/, -1],
  // Chaos takes the machine for two minutes, so nothing with a server may be left to be slowed down.
  [/chaos\.kafka/, 4],
  // Long tests without a server run beside it: it waits for a third of that time.
  [/test\/(?!docs\/)(?:[\w-]+\/)+[\w-]+\.long\./, 5],
  [/\.kafka\.|\.browser\.|test\/together\/(?:files|failing)-|test\/(?:docs|store)\//, 0],
  [/\.model\.|test\/together\//, 3],
  [/test\/(?:projector|system)\//, 1],
];
const OTHERS = 2;

function place(file) {
  return KINDS.find(([kind]) => kind.test(file))?.[1] ?? OTHERS;
}

export default {
  files: ['dist/test/**/*.test.js'],
  // A run in which no test has ended for so long hangs. No test has a shorter time of its own: slow machines are no failure.
  timeout: '10m',
  concurrency: 2,
  workerThreads: false,
  require: ['./dist/test/helpers/left-open.js', './dist/test/helpers/coverage-of-tests.js'],
  sortTestFiles: (a, b) => place(a) - place(b) || (a < b ? -1 : 1),
};
