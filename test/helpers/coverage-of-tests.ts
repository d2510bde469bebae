// Counts coverage in the processes of tests alone: what these start would take a fifth longer, and covers nothing more.
// Loaded by ava.config.js in each process, which has begun to count by then.
delete process.env.NODE_V8_COVERAGE;
