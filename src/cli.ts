#!/usr/bin/env node
// The entry of the command line. It has only syntax that Node 12 parses, so that an old Node gets a line that helps
// instead of a stack trace; src/main.ts, with all the rest, is loaded after the check.
const MAJOR_MIN = 20;
const MINOR_MIN = 19;
const found = process.versions.node;
const [major = 0, minor = 0] = found.split('.').map(Number);

if (major < MAJOR_MIN || (major === MAJOR_MIN && minor < MINOR_MIN)) {
  const expected = `${MAJOR_MIN}.${MINOR_MIN} or later`;
  process.stderr.write(
    `Expected Node ${expected}, got ${found}: https://nodejs.org has newer ones\n`,
  );
  process.exitCode = 1;
} else {
  void import('./process/cache-folder.ts').then(({ keepCompiledCode }) => {
    keepCompiledCode(process.env);
    return import('./main.ts');
  });
}
