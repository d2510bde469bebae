// The name of a mongodb+srv address that does not resolve yet is waited for, like any other database that is away.
import { createSocket } from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import { connectStore, StoreAwayError } from '../../src/store/connect.ts';
import { test } from '../helpers/file-test.ts';

/** Codes of a name server's answers (RFC 1035). */
const ANSWERS = { 2: 'ESERVFAIL', 3: 'ENOTFOUND', 5: 'EREFUSED' };

test.serial('a name without an answer is a database that is away', async t => {
  const own = dns.getServers();
  for (const [code, name] of Object.entries(ANSWERS)) {
    const server = createSocket('udp4');
    server.on('message', (query, { port, address }) => {
      const answer = Buffer.from(query);
      answer.writeUInt8(answer.readUInt8(2) | 0x80, 2);
      answer.writeUInt8(Number(code), 3);
      server.send(answer, port, address);
    });
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      dns.setServers([`127.0.0.1:${server.address().port}`]);
      const error = await t.throwsAsync(connectStore('mongodb+srv://db.example.test/', 1000), {
        instanceOf: StoreAwayError,
      });
      const start = 'No MongoDB answers at mongodb+srv://db.example.test/: ';
      t.is(error.message, `${start}querySrv ${name} _mongodb._tcp.db.example.test`);
    } finally {
      dns.setServers(own);
      server.close();
    }
  }
});
