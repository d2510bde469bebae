// Which errors of the database pass by themselves.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { toApiError } from '../../src/http/middleware/errors.ts';
import { isTransient, isUnavailable } from '../../src/store/database-errors.ts';
import { test } from '../helpers/file-test.ts';

/** Returns the error of a socket that is written to after its server has ended it: the driver passes it on as it is. */
async function endedByServer(): Promise<unknown> {
  const server = createServer(socket => socket.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket.resume(), 'end');
  socket.write('command');
  const [error] = await once(socket, 'error');
  server.close();
  return error;
}

test('an error of a socket that the driver passes on is a database that is away', async t => {
  const error = await endedByServer();
  t.is((error as NodeJS.ErrnoException).code, 'EPIPE');
  t.true(isUnavailable(error));
  t.true(isTransient(error));
  t.is(toApiError(error).status, 503);
});

test('other errors of Node are faults of ours', t => {
  const error = Object.assign(new Error('no file'), { code: 'ENOENT' });
  for (const one of [error, new TypeError('not a function'), null, 'text']) {
    t.false(isUnavailable(one));
    t.false(isTransient(one));
  }
  t.is(toApiError(error).status, 500);
});
