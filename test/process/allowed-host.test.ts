// The Host header may contain only names and addresses of the machine itself.
import test from 'ava';
import { isAllowedHost, isAllowedOrigin } from '../../src/process/allowed-host.ts';

const machine = 'box-1';
const loopback = { listensOn: '127.0.0.1', machine };
const everywhere = { listensOn: '0.0.0.0', machine };

for (const host of [
  'localhost',
  'LocalHost:9464',
  '127.0.0.1:9464',
  '127.0.0.53',
  '[::1]:8080',
  '[::1]',
  'box-1:9464',
]) {
  test(`${host} is allowed`, t => {
    t.true(isAllowedHost(host, loopback));
    t.true(isAllowedHost(host, everywhere));
  });
}

for (const host of [
  undefined,
  '',
  'evil.example',
  'evil.example:9464',
  'localhost.evil.example',
  'evil.example@localhost',
  'localhost:9464:1',
  'localhost/',
  '127.0.0.1.evil.example',
  '::1',
  '[::1',
  'localhost, evil.example',
]) {
  test(`${host} is refused`, t => {
    t.false(isAllowedHost(host, loopback));
    t.false(isAllowedHost(host, everywhere));
  });
}

test('other addresses are allowed unless the port listens on loopback alone, since no name can imitate them', t => {
  for (const host of ['10.1.2.3:9464', '[fe80::1]:9464']) {
    t.false(isAllowedHost(host, loopback));
    t.true(isAllowedHost(host, everywhere));
    t.true(isAllowedHost(host, { listensOn: '10.1.2.3', machine }));
  }
});

test('the name that the port listens on is allowed', t => {
  const own = { listensOn: 'Projector.internal', machine };
  t.true(isAllowedHost('projector.internal:9464', own));
  t.false(isAllowedHost('reader.internal:9464', own));
});

test('a page may come from a name of this machine, or from the address that the request went to', t => {
  const asked = '10.1.2.3:3000';
  for (const origin of [
    'http://localhost:6274',
    'http://127.0.0.1',
    'http://[::1]:1',
    'https://box-1',
  ]) {
    t.true(isAllowedOrigin(origin, asked, everywhere), origin);
    t.true(isAllowedOrigin(origin, 'localhost', loopback), origin);
  }
  for (const origin of ['http://10.1.2.3:3000', 'http://10.1.2.3:8123', 'https://10.1.2.3']) {
    t.true(isAllowedOrigin(origin, asked, everywhere), origin);
    t.false(isAllowedOrigin(origin, asked, loopback), origin);
    t.false(isAllowedOrigin(origin, 'localhost:3000', everywhere), origin);
  }
});

test('a page of any other name or address is refused', t => {
  for (const origin of [
    'http://203.0.113.7',
    'http://evil.example',
    'null',
    'x',
    '',
    'http://[fe80::1]',
  ]) {
    t.false(isAllowedOrigin(origin, '10.1.2.3:3000', everywhere), origin);
  }
  t.false(isAllowedOrigin('http://evil.example', 'evil.example', everywhere));
  t.false(isAllowedOrigin('http://203.0.113.7', undefined, everywhere));
});
