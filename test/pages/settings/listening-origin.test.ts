// Forms where no PUBLIC_URL is configured: they come from a page of the host that the reader listens on.
import { createSecret } from '../../../src/access/secret.ts';
import { test } from '../../helpers/file-test.ts';
import { servePages } from './serve-pages.ts';

test('without PUBLIC_URL a form comes from a name of this machine, not from any Host with its Origin', async t => {
  const { port, visitor } = await servePages(t, {
    links: { use: async () => 'anna' },
    sessions: { begin: async () => createSecret(), end: async () => {} },
  });
  const send = (host: string, origin: string) =>
    visitor().post('/settings/sign-in', { link: createSecret() }, { host, origin });
  for (const [host, origin] of [
    [`evil.example:${port}`, `http://evil.example:${port}`],
    ['evil.example', 'http://evil.example'],
    [`127.0.0.1.evil.example:${port}`, `http://127.0.0.1.evil.example:${port}`],
    [`10.1.2.3:${port}`, `http://10.1.2.3:${port}`],
    [`localhost:${port}`, `http://127.0.0.1:${port}`],
    [`localhost:${port}`, `http://localhost:1${port}`],
    [`localhost:${port}`, `https://localhost:${port}`],
  ] as const) {
    const answer = await send(host, origin);
    t.is(answer.status, 403, host);
    t.regex(answer.text, /PUBLIC_URL/);
  }
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
    t.is((await send(host, `http://${host}`)).status, 303, host);
  }
});

test('without PUBLIC_URL a person signs in at the issuer from the address that the issuer leads back to', async t => {
  const issuer = 'http://127.0.0.1:1';
  const oidc = { issuer, clientId: 'budgeting', clientSecret: null, userClaim: 'sub' };
  const { port, visitor } = await servePages(t, { oidc });
  const start = '/settings/sign-in/start';
  // The attempt, and its cookie, begin there.
  const answer = await visitor().get(start, { host: `localhost:${port}` });
  t.is(answer.status, 303);
  t.is(answer.location, `http://127.0.0.1:${port}${start}`);
  t.is(answer.headers['set-cookie'], undefined);
});
