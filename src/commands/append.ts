// `append FILE|-`: checks the whole input first, then appends all of it or nothing.
import { createReadStream } from 'node:fs';
import { UnfinishedError, UserError, unreadable } from '../process/errors.ts';
import { counted } from '../process/printable.ts';
import type { CheckedInput } from './appending/append-events.ts';
import { target } from './opening/openings.ts';
import type { AppendTarget } from './opening/target.ts';
import { command } from './syntax/command.ts';

interface AppendContext extends AppendTarget {
  readonly stdin: NodeJS.ReadableStream;
  /** Returns a line for each stream whose events would wait, or be dropped. */
  readonly parkedByAppend: (input: CheckedInput) => Promise<string[]>;
}

export const appendCommand = command({
  name: 'append',
  usage: 'FILE|- [--check|--wait]',
  summary: 'checks events, one a line, then appends all of them or nothing',
  details:
    'Each bad line is named with its reasons (docs/events.md). A log that is not the one that was projected is refused.',
  operands: { FILE: 'File of CloudEvents in JSON, one a line; - reads standard input' },
  options: {
    check: {
      about: 'Appends nothing, and names the events that would park their stream, or be dropped',
    },
    wait: { about: 'Ends when the events are applied' },
  },
  refuse: ({ check, wait }) => (check && wait ? 'Expected --check or --wait, got both' : null),
  examples: ['append history.ndjson', 'append - --wait'],
  audit: { unless: 'check' },
  /**
   * @throws UserError that lists every bad line; nothing was appended then. With `--check` also when an event would
   *   wait, with `--wait` when one does.
   */
  async run({ operands: [path = ''], values }, context: AppendContext) {
    const { appendChecked, checkInput, NOTHING_APPENDED } = await import(
      './appending/append-events.ts'
    );
    const { print } = context;
    const input = readable(path === '-' ? context.stdin : createReadStream(path), path);
    const checked = await checkInput(
      input,
      context,
      ({ line, reason }) => `line ${line}: ${reason}`,
    );
    if (values.check) {
      const stopped = await context.parkedByAppend(checked);
      if (stopped.length > 0) throw new UserError([...stopped, NOTHING_APPENDED].join('\n'));
      return print(
        `${counted(checked.records.length, 'event')} would be applied; nothing was appended`,
      );
    }
    for (const line of await appendChecked(checked, context)) print(line);
    if (!values.wait) return;
    const waited = await context.applied(checked.last);
    // What is appended stays appended.
    if (waited.kind !== 'applied') throw new UnfinishedError(waited.text);
    for (const [subject, sequence] of checked.last) {
      const isDropped = waited.deleted.includes(subject);
      print(
        isDropped
          ? `${subject}: is deleted, what follows is dropped`
          : `${subject}: applied to ${sequence}`,
      );
    }
  },
  opens: (environment, run) =>
    target(environment, async context => {
      const { connection, generation, applied } = context;
      await run({
        ...context,
        stdin: process.stdin,
        async parkedByAppend(input) {
          const { requireOwn } = await import('./opening/generation.ts');
          const { operatorStore } = await import('./opening/system.ts');
          const { parkedByAppend } = await import('./appending/parked-by-append.ts');
          requireOwn(generation);
          return parkedByAppend(operatorStore(connection, generation.id), input, applied);
        },
      });
    }),
});

async function* readable(
  input: NodeJS.ReadableStream,
  path: string,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const chunk of input) yield chunk as Buffer;
  } catch (error) {
    throw unreadable(path, error);
  }
}
