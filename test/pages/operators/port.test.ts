// The management port as HTTP (rules/running.md#management-port): it accepts no commands and checks Host.
import { connect } from 'node:net';
import type { ExecutionContext } from 'ava';
import {
  createManagement,
  type ManagementOptions,
} from '../../../src/pages/operators/create-management.ts';
import { UserError } from '../../../src/process/errors.ts';
import { test } from '../../helpers/file-test.ts';
import { memoryLog } from '../../http/memory-log.ts';
import { askPort } from './management-scene.ts';
import { parsePrometheus, sampleValue } from './prometheus-text.ts';

const PATHS = ['/', '/?still', '/livez', '/readyz', '/metrics', '/refresh.js'];

async function open(t: ExecutionContext, changes: Partial<ManagementOptions> = {}) {
  const management = await createManagement({
    host: '127.0.0.1',
    port: 0,
    command: 'start',
    reads: true,
    projects: true,
    version: 3,
    stopping: new AbortController().signal,
    now: () => new Date(),
    logger: memoryLog().logger,
    ...changes,
  });
  t.teardown(() => management.close());
  return management;
}

test('each path answers, and HEAD like GET without a body', async t => {
  const { port } = await open(t);
  for (const path of PATHS) {
    const got = await askPort(port, path);
    t.is(got.status, path === '/readyz' ? 503 : 200, path);
    const head = await askPort(port, path, { method: 'HEAD' });
    t.is(head.text, '');
    t.is(head.status, got.status);
    t.is(head.headers['content-type'], got.headers['content-type']);
  }
  t.is((await askPort(port, '/livez')).text, 'alive\n');
});

test('methods other than reads get 405, and unknown paths 404', async t => {
  const { port } = await open(t);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    for (const path of PATHS) {
      const { status, headers } = await askPort(port, path, { method });
      t.deepEqual([status, headers.allow], [405, 'GET, HEAD'], `${method} ${path}`);
    }
  }
  for (const path of [
    '/livez/',
    '//',
    '/Metrics',
    '/settings/tokens',
    '/constructor',
    '/x?still',
  ]) {
    t.is((await askPort(port, path)).status, 404, path);
  }
});

test('a Host that is not this machine gets 403 on every path', async t => {
  const { port } = await open(t);
  for (const path of [...PATHS, '/nothing']) {
    for (const host of ['evil.example', `evil.example:${port}`, `127.0.0.1.evil.example:${port}`]) {
      const { status, text } = await askPort(port, path, { headers: { host } });
      t.is(status, 403, `${path} ${host}`);
      t.notRegex(text, /budgeting_|<html/);
    }
  }
  for (const host of ['localhost', `localhost:${port}`, '[::1]:1', `127.0.0.1:${port}`]) {
    t.is((await askPort(port, '/livez', { headers: { host } })).status, 200, host);
  }
});

test('a request without a Host is refused', async t => {
  const { port } = await open(t);
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('GET /metrics HTTP/1.0\r\n\r\n'));
    let text = '';
    socket.on('data', chunk => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
  t.regex(answer, /^HTTP\/1\.1 403 /);
});

test('no answer may be stored, framed, or read by a page of another site', async t => {
  const { port } = await open(t);
  const asked = { headers: { origin: 'https://evil.example' } };
  for (const path of [...PATHS, '/nothing']) {
    const { headers } = await askPort(port, path, asked);
    t.is(headers['cache-control'], 'no-store', path);
    t.is(headers['x-content-type-options'], 'nosniff');
    t.is(headers['cross-origin-resource-policy'], 'same-origin');
    t.is(headers['x-frame-options'], 'DENY');
    t.is(headers['access-control-allow-origin'], undefined);
    const policy = String(headers['content-security-policy']);
    t.regex(policy, /^default-src 'none'; .*frame-ancestors 'none'$/);
    t.notRegex(policy, /unsafe/);
  }
});

test('the role and the version of a process are metrics', async t => {
  const { port } = await open(t, { command: 'serve', projects: false });
  const { text, headers } = await askPort(port, '/metrics');
  t.is(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  const labels = { command: 'serve', projections_version: '3' };
  t.is(sampleValue(parsePrometheus(text), 'budgeting_process_info', labels), 1);
});

test('a process that does not project cannot record a projector', async t => {
  const management = await open(t, { command: 'serve', projects: false });
  t.throws(() => management.projector('g1'), { message: 'budgeting serve has no projector' });
});

test('a taken management port gives one clear line that names MANAGEMENT_PORT', async t => {
  const { port } = await open(t);
  const error = await t.throwsAsync(open(t, { port }), { instanceOf: UserError });
  t.is(
    error?.message,
    `Expected to listen on 127.0.0.1:${port}, but it is in use: set MANAGEMENT_PORT to another, or to 0 for any free one`,
  );
});
