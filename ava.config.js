// How ava runs the compiled tests.
const isChaos = file => file.includes('chaos.kafka');

export default {
  files: ['dist/test/**/*.test.js'],
  // A run in which no test has ended for so long hangs. No test has a shorter time of its own: slow machines are no failure.
  timeout: '10m',
  concurrency: 2,
  workerThreads: false,
  // Chaos takes the whole machine for two minutes: it comes last, when hardly anything is left to be slowed down.
  sortTestFiles: (a, b) => Number(isChaos(a)) - Number(isChaos(b)) || (a < b ? -1 : 1),
};
