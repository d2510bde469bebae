import test from 'ava';
import { httpAddress } from '../../../src/commands/opening/system.ts';

test('the printed address works in a browser on this machine', t => {
  for (const [host, address] of [
    ['127.0.0.1', 'http://127.0.0.1:3000'],
    ['localhost', 'http://localhost:3000'],
    ['::1', 'http://[::1]:3000'],
    ['0.0.0.0', 'http://127.0.0.1:3000'],
    ['::', 'http://[::1]:3000'],
  ] as const) {
    t.is(httpAddress(host, 3000), address);
  }
});
