// The command line understands the commands on the page, whatever the id of the stream.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { mendsOf } from '../../../../src/pages/operators/page/held-section.ts';
import type { WorkStatus } from '../../../../src/projector/operate/held-status.ts';
import { test } from '../../../helpers/file-test.ts';

const run = promisify(execFile);

const event = { sequence: 4, eventId: '-e.4', partition: 0, offset: 17 };

const commandsOf = (stream: string, why: 'parked' | 'gap' | 'change') =>
  mendsOf({ stream, why, event, work: null }).flatMap(({ command }) =>
    command === null ? [] : [command],
  );

test('each reason to hold a stream has its own commands', t => {
  t.deepEqual(commandsOf('b-1', 'parked'), [
    'npx budgeting parked retry b-1',
    'npx budgeting parked skip --event=-e.4 b-1',
  ]);
  t.deepEqual(commandsOf('b-1', 'gap'), ['npx budgeting parked skip --missing b-1']);
  t.deepEqual(commandsOf('b-1', 'change'), []);
});

test('a stream that is held for work names who is at work, without a command', t => {
  const textOf = (work: WorkStatus) =>
    mendsOf({ stream: 'b-1', why: 'change', event: null, work }).map(({ text }) => text);
  t.deepEqual(textOf('projector'), [
    'It goes on by itself when a projector has written the big change.',
  ]);
  t.deepEqual(textOf('rebuild'), ['It goes on by itself when its rebuild is done.']);
  t.deepEqual(textOf('ended rebuild'), [
    'Its rebuild was killed; it goes on by itself as soon as a projector has its partition.',
  ]);
  t.deepEqual(textOf('queue'), [
    'Its queue is applied by itself as soon as a projector has its partition.',
  ]);
});

for (const stream of ['b-1', '-b', '--missing', '~root', '~', 'a.b:c~d_e', "it's $(odd)"]) {
  test(`a shell passes ${stream} on unchanged`, async t => {
    for (const why of ['parked', 'gap'] as const) {
      for (const command of commandsOf(stream, why)) {
        const line = command.replace(/^npx budgeting/, `printf '%s\\n'`);
        const { stdout } = await run('sh', ['-c', line]);
        t.is(stdout.trimEnd().split('\n').at(-1), stream);
        // An id that begins like an option comes after the mark that ends the options.
        t.is(stdout.includes('\n--\n'), stream.startsWith('-'));
      }
    }
  });
}
