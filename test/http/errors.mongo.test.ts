// The bodies and headers of errors, and the headers of every response.
import { ERRORS } from '../../src/http/api-error.ts';
import { test } from '../helpers/file-test.ts';
import { budget, space } from '../model/scene.ts';
import { holdsTo } from './contract.ts';
import type { Answered } from './serve.ts';
import { useServed } from './use-served.ts';

const served = useServed(test, { name: 'http_errors' }, async () => {
  const { project } = served.model;
  await project('s1', ...space(['anna']));
  await project('s2', ...space(['ben']));
  await project('own', budget('s1'));
  await project('own2', budget('s1'));
  await project('gone', budget('s1'), { type: 'budget.deleted', data: {} });
  await project('foreign', budget('s2'));
  await project('early', budget('not-created-yet'));
});

const LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

test('404: absent, foreign and deleted budgets get the same answer', async t => {
  const token = await served.issue('anna');
  const shapeOf = ({ status, headers, body }: Answered) => {
    const shown = [...headers].filter(
      ([name]) => !['date', 'x-request-id', ...LIMIT_HEADERS].includes(name),
    );
    return { status, shown, error: { ...body.error, requestId: '' } };
  };
  const absent = shapeOf(await served.api('/payees?budget_id=nowhere', { token }));
  for (const id of ['foreign', 'gone', 'early']) {
    t.deepEqual(shapeOf(await served.api(`/payees?budget_id=${id}`, { token })), absent, id);
  }
  t.deepEqual(absent.error, {
    code: 'not_found',
    details: [],
    message: 'Not found',
    param: null,
    requestId: '',
  });
  const names = absent.shown.map(([name]) => name);
  for (const name of ['etag', 'x-projection-position', 'x-projection-parked-since']) {
    t.false(names.includes(name));
  }
});

test('Error: code, message, param, requestId; details name every bad parameter (400 only)', async t => {
  const token = await served.issue('anna');
  const { status, headers, body } = await served.api('/labels?limit=0&x=&budget_id=own', { token });
  t.is(status, 400);
  t.is(holdsTo('error', body), null);
  t.deepEqual(body.error, {
    code: 'invalid_parameter',
    message: 'Expected limit to be at least 1, got 0',
    param: 'limit',
    requestId: headers.get('x-request-id'),
    details: [
      {
        param: 'limit',
        code: 'invalid_parameter',
        message: 'Expected limit to be at least 1, got 0',
      },
      {
        param: 'x',
        code: 'unknown_parameter',
        message:
          'Expected a parameter of this endpoint, got "x"; it takes budget_id, name, limit, offset',
      },
    ],
  });
  t.is(headers.get('cache-control'), 'no-store');
  const absent = await served.api('/labels?budget_id=nowhere', { token });
  t.deepEqual([absent.status, absent.body.error.param, absent.body.error.details], [404, null, []]);
});

test('Every response carries X-Request-Id and X-RateLimit-* headers', async t => {
  const token = await served.issue('anna', { budgets: ['own'] });
  const answers = [
    await served.api('/accounts?budget_id=own', { token }),
    await served.api('/accounts?budget_id=own', { token, headers: { 'if-none-match': '*' } }),
    await served.api('/accounts', { token }),
    await served.api('/accounts', {}),
    await served.api('/accounts', { token, method: 'POST' }),
    await served.api('/accounts?budget_id=own2', { token }),
    await served.api('/accounts?budget_id=nowhere', { token }),
    await served.api('/nothing'),
    await served.api('/openapi.json'),
    await served.api('/accounts', { method: 'OPTIONS' }),
    await served.api('/accounts?budget_id=own', { token, method: 'HEAD' }),
    await served.ask('/docs'),
  ];
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 304, 400, 401, 405, 403, 404, 404, 200, 204, 200, 200],
  );
  const ids = answers.map(({ headers }) => headers.get('x-request-id'));
  t.is(new Set(ids).size, answers.length);
  for (const { status, headers } of answers) {
    for (const name of LIMIT_HEADERS)
      t.regex(headers.get(name) ?? '', /^[0-9]+$/, `${status} ${name}`);
    t.is(headers.get('access-control-allow-origin'), '*', String(status));
  }
});

test('HEAD sends the headers of GET, without a body', async t => {
  const token = await served.issue('anna');
  for (const path of [
    '/budgets',
    '/transactions?budget_id=own',
    '/months/2024-01?budget_id=own',
    '/openapi.json',
  ]) {
    const got = await served.api(path, { token });
    const head = await served.api(path, { token, method: 'HEAD' });
    t.is(head.status, 200);
    t.is(head.text, '');
    for (const name of ['etag', 'content-length', 'content-type', 'x-projection-position']) {
      t.is(head.headers.get(name), got.headers.get(name), `${path} ${name}`);
    }
  }
});

test('The table of error codes is that of the contract', async t => {
  const { body } = await served.api('/openapi.json');
  const known =
    body.components.schemas.ErrorBody.properties.error.properties.code['x-extensible-enum'];
  t.deepEqual(Object.keys(ERRORS), known);
});
