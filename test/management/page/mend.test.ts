// The command line understands the commands on the page, whatever the id of the stream.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { mendsOf } from '../../../src/management/page/mend.ts';

const run = promisify(execFile);

const commandsOf = (stream: string, why: 'parked' | 'gap' | 'change') =>
  mendsOf({ stream, why }).flatMap(({ command }) => (command === null ? [] : [command]));

test('each reason to hold a stream has its own commands', t => {
  t.deepEqual(commandsOf('b-1', 'parked'), [
    'npx budgeting parked retry b-1',
    'npx budgeting parked skip b-1',
  ]);
  t.deepEqual(commandsOf('b-1', 'gap'), ['npx budgeting parked skip --missing b-1']);
  t.deepEqual(commandsOf('b-1', 'change'), []);
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
