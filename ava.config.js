// How ava runs the compiled tests.
/** The longest files of a run are of these kinds. They come first, so that none is left running alone at the end. */
const EARLY = [/\.model\./, /\.kafka\./, /test\/groups\/files-/, /test\/(?:projector|system)\//];

function place(file) {
  // Chaos takes the whole machine for two minutes: it comes last, when hardly anything is left to be slowed down.
  if (file.includes('chaos.kafka')) return EARLY.length + 1;
  const found = EARLY.findIndex(kind => kind.test(file));
  return found === -1 ? EARLY.length : found;
}

export default {
  files: ['dist/test/**/*.test.js'],
  // A run in which no test has ended for so long hangs. No test has a shorter time of its own: slow machines are no failure.
  timeout: '10m',
  concurrency: 2,
  workerThreads: false,
  require: ['./dist/test/helpers/left-open.js'],
  sortTestFiles: (a, b) => place(a) - place(b) || (a < b ? -1 : 1),
};
