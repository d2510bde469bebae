import { createServer } from 'node:net';
import test from 'ava';
import { UserError } from '../../src/errors.ts';
import { listen } from '../../src/http/listen.ts';

const refuse = () => {};

test('a port that is taken, and a host that is none of this machine, are named with the reason', async t => {
  const blocker = createServer();
  await new Promise<void>(resolve => blocker.listen(0, '127.0.0.1', resolve));
  t.teardown(() => blocker.close());
  const { port } = blocker.address() as { port: number };
  for (const [host, reason] of [
    ['127.0.0.1', 'it is in use'],
    // Kept for documentation, so no machine has it (RFC 5737).
    ['192.0.2.1', 'the host is not an address of this machine'],
  ] as const) {
    await t.throwsAsync(listen(refuse, { host, port }), {
      instanceOf: UserError,
      message: `Expected to listen on ${host}:${port}, but ${reason}`,
    });
  }
});

test("for any other reason the system's own words are given", async t => {
  const host = 'h'.repeat(300);
  const error = await t.throwsAsync(listen(refuse, { host, port: 0 }), { instanceOf: UserError });
  t.regex(error?.message ?? '', /, but getaddrinfo E/);
});
