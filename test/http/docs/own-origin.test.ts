// The examples of /docs name an address under which the reader of the page reaches the service, and no other.
import test from 'ava';
import { serveBare } from '../serve-bare.ts';

const request = (host: string | null) =>
  `GET /docs HTTP/1.${host === null ? 0 : 1}\r\n${host === null ? '' : `Host: ${host}\r\n`}Connection: close\r\n\r\n`;

/** Returns the addresses of the API that the examples name. */
function namedIn(page: string): string[] {
  return [
    ...new Set([...page.matchAll(/https?:\/\/[^/\s]+\/api\/v1/g)].map(([address]) => address)),
  ];
}

test('the address of the request, if it is one of this machine', async t => {
  const served = await serveBare(t);
  for (const host of [`localhost:${served.port}`, `127.0.0.1:${served.port}`, '[::1]:8080']) {
    t.deepEqual(namedIn(await served.raw(request(host))), [`http://${host}/api/v1`]);
  }
});

test("a name that is not this machine's is never shown", async t => {
  const served = await serveBare(t);
  const own = [`http://127.0.0.1:${served.port}/api/v1`];
  for (const host of ['evil.example', 'localhost.evil.example:3000', '10.1.2.3', null]) {
    const page = await served.raw(request(host));
    t.deepEqual(namedIn(page), own, String(host));
    t.false(page.includes('evil'));
  }
});

test('PUBLIC_URL where it is configured', async t => {
  const served = await serveBare(t, { publicUrl: 'https://budgets.example.com' });
  for (const host of ['localhost', 'evil.example']) {
    const page = await served.raw(request(host));
    t.deepEqual(namedIn(page), ['https://budgets.example.com/api/v1']);
  }
});

test('many addresses are answered, each with its own page', async t => {
  const served = await serveBare(t);
  for (let port = 1; port <= 20; port += 1) {
    const page = await served.raw(request(`localhost:${port}`));
    t.deepEqual(namedIn(page), [`http://localhost:${port}/api/v1`]);
  }
});
