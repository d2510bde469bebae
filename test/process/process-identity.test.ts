import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../src/embedded/mongod-process.ts';
import { hasEnded } from '../../src/process/process-identity.ts';
import { test } from '../helpers/file-test.ts';
import { quietPort } from '../helpers/quiet-port.ts';

test('a process has ended once its last thread has, and then its port is free', async t => {
  for (let times = 0; times < 10; times += 1) {
    const port = await quietPort();
    const program = `require('node:net').createServer().listen(${port}, '127.0.0.1', () => console.log())`;
    const child = spawn(process.execPath, ['-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    // Polled without a pause: after any delay the port might be free by chance.
    while (!(await hasEnded(child.pid ?? 0, 0)));
    t.is(await freePort(port), port);
  }
});
