import test from 'ava';
import { addressKey, clientAddress } from '../../src/access/address.ts';

test('without trusted proxies the address is that of the socket, whatever the header says', t => {
  t.is(clientAddress('10.0.0.1', '1.2.3.4', 0), '10.0.0.1');
  t.is(clientAddress('10.0.0.1', undefined, 0), '10.0.0.1');
});

test('X-Forwarded-For counts for as many hops as proxies are trusted', t => {
  const header = '6.6.6.6, 1.2.3.4,10.0.0.2';
  t.is(clientAddress('10.0.0.1', header, 1), '10.0.0.2');
  t.is(clientAddress('10.0.0.1', header, 2), '1.2.3.4');
  t.is(clientAddress('10.0.0.1', header, 3), '6.6.6.6');
  t.is(clientAddress('10.0.0.1', header, 9), '6.6.6.6');
});

test('the address is that of the socket when a trusted proxy sends no header', t => {
  t.is(clientAddress('10.0.0.1', undefined, 2), '10.0.0.1');
  t.is(clientAddress('10.0.0.1', '', 2), '10.0.0.1');
});

test('an invalid entry ends the walk at the nearest valid one', t => {
  t.is(clientAddress('10.0.0.1', '1.2.3.4, unknown, 10.0.0.2', 3), '10.0.0.2');
  t.is(clientAddress('10.0.0.1', 'evil', 1), '10.0.0.1');
  t.is(clientAddress('10.0.0.1', '1.2.3', 1), '10.0.0.1');
});

test('the address leaves out the port of an entry', t => {
  t.is(clientAddress('10.0.0.1', '1.2.3.4:5678', 1), '1.2.3.4');
  t.is(clientAddress('10.0.0.1', '[2001:db8::1]:5678', 1), '2001:db8::1');
  t.is(clientAddress('10.0.0.1', '[2001:db8::1]', 1), '2001:db8::1');
  t.is(clientAddress('10.0.0.1', '2001:db8::1', 1), '2001:db8::1');
});

test('all sockets without an address share one key', t => {
  t.is(clientAddress(undefined, undefined, 0), 'unknown');
  t.is(addressKey('unknown'), 'unknown');
});

test('IPv4 counts by address', t => {
  t.is(addressKey('192.0.2.7'), '192.0.2.7');
});

test('IPv4 mapped into IPv6 counts as IPv4, in every spelling', t => {
  t.is(addressKey('::ffff:192.0.2.7'), '192.0.2.7');
  t.is(addressKey('::FFFF:c000:0207'), '192.0.2.7');
  t.is(addressKey('0:0:0:0:0:ffff:192.0.2.7'), '192.0.2.7');
});

test('IPv6 counts by /64, in every spelling', t => {
  t.is(addressKey('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  t.is(addressKey('2001:0DB8:0001:0002::9'), '2001:db8:1:2::/64');
  t.is(addressKey('2001:db8::1'), '2001:db8:0:0::/64');
  t.is(addressKey('2001:db8:0:0:1::'), '2001:db8:0:0::/64');
  t.is(addressKey('::1'), '0:0:0:0::/64');
  t.is(addressKey('::'), '0:0:0:0::/64');
  t.is(addressKey('fe80::1%eth0'), 'fe80:0:0:0::/64');
  t.is(addressKey('64:ff9b::192.0.2.7'), '64:ff9b:0:0::/64');
});

test('neighbours in a /64 share a key, and the next /64 has its own', t => {
  t.is(addressKey('2001:db8:1:2:ffff::'), addressKey('2001:db8:1:2::1'));
  t.not(addressKey('2001:db8:1:3::1'), addressKey('2001:db8:1:2::1'));
});

test('the key of a key is the same key', t => {
  for (const address of ['192.0.2.7', '2001:db8::1', '::ffff:192.0.2.7', 'unknown']) {
    t.is(addressKey(addressKey(address)), addressKey(address));
  }
});
