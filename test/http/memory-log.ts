// A log that a test can read.
import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { Logger } from '../../src/process/log.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into lines as it likes
type Line = any;

/** Everything that is logged, parsed, as it comes. */
export function memoryLog(): { logger: Logger; lines: Line[] } {
  const lines: Line[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  return { logger: pino({ level: 'trace', base: null }, stream), lines };
}
