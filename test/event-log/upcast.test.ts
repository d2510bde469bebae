// Upcasters lift data of older schema versions; the older versions here are invented.
import test from 'ava';
import { createUpcast, UPCASTERS } from '../../src/event-log/upcast.ts';

const steps = new Map([
  [
    'payee.added',
    {
      1: (data: unknown) => ({ ...(data as object), two: true }),
      2: (data: unknown) => ({ ...(data as object), three: true }),
    },
  ],
]);

test('no type has an older version today: version 1 stays unchanged, and others are unknown', t => {
  const upcast = createUpcast(UPCASTERS);
  const data = { name: 'Market' };
  const lifted = upcast('payee.added', 1, data);
  t.true(lifted.ok && lifted.data === data);
  t.deepEqual(upcast('payee.added', 2, data), { ok: false });
});

test('an invented older version is lifted step by step to the current one', t => {
  const upcast = createUpcast(steps);
  t.deepEqual(upcast('payee.added', 1, { one: true }), {
    ok: true,
    data: { one: true, two: true, three: true },
  });
  t.deepEqual(upcast('payee.added', 2, {}), { ok: true, data: { three: true } });
  t.deepEqual(upcast('payee.added', 3, {}), { ok: true, data: {} });
});

test('a version that is too new, and one below the first, are unknown', t => {
  const upcast = createUpcast(steps);
  t.deepEqual(upcast('payee.added', 4, {}), { ok: false });
  t.deepEqual(upcast('payee.added', 0, {}), { ok: false });
});

test('an upcaster applies to its type alone', t => {
  const upcast = createUpcast(steps);
  t.deepEqual(upcast('label.added', 1, {}), { ok: true, data: {} });
  t.deepEqual(upcast('label.added', 2, {}), { ok: false });
});

test('an upcaster leaves its input unchanged', t => {
  const data = Object.freeze({ one: true });
  createUpcast(steps)('payee.added', 1, data);
  t.deepEqual(data, { one: true });
});
