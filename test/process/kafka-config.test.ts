// What the configuration of Kafka refuses as the process starts, because no retry could use it.
import { generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import { loadConfig } from '../../src/process/config.ts';
import { UserError } from '../../src/process/errors.ts';
import { CERTIFICATE, KEY, refused } from './refused-config.ts';

const block = (of: string) => `-----BEGIN ${of}-----\nMIIB+/==\n-----END ${of}-----`;
const noCertificate = block('CERTIFICATE');
const keyWith = (passphrase?: string) => {
  const cipher = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase };
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return privateKey.export({ type: 'pkcs8', format: 'pem', ...cipher });
};
for (const [what, texts, expected] of [
  ['an authority', { CA: noCertificate }, 'CA to be certificates that can be read'],
  [
    'one of two authorities',
    { CA: `${CERTIFICATE}\n${noCertificate}` },
    'CA to be certificates that can be read',
  ],
  ['a certificate', { CERT: noCertificate, KEY }, 'CERT to be certificates that can be read'],
  [
    'a key',
    { CERT: CERTIFICATE, KEY: block('PRIVATE KEY') },
    'KEY to be a private key without a passphrase',
  ],
  [
    'a key with a passphrase',
    { CERT: CERTIFICATE, KEY: keyWith('secret') },
    'KEY to be a private key without a passphrase',
  ],
  [
    'the key of another certificate',
    { CERT: CERTIFICATE, KEY: keyWith() },
    'KEY to be the private key of the certificate',
  ],
] as const) {
  test(`refused: ${what} that TLS cannot use`, t => {
    const named = Object.entries(texts).map(([name, text]) => [`KAFKA_TLS_${name}`, text]);
    const env = { KAFKA_BROKERS: 'a:9092', KAFKA_TLS: 'true', ...Object.fromEntries(named) };
    const error = t.throws(() => loadConfig(env), { instanceOf: UserError });
    t.is(error.message, `Expected KAFKA_TLS_${expected}, got a value that is not shown`);
    t.is(error.exitCode, 2);
  });
}
for (const brokers of ['[::1]:9092', 'kafka://h:9092', 'h/x:9092', 'a:9092,::1:9093', ':9092']) {
  const expected = 'a text such as kafka-1:9092,kafka-2:9092';
  const message = `Expected KAFKA_BROKERS to be ${expected}, got ${JSON.stringify(brokers)}`;
  test(refused, { KAFKA_BROKERS: brokers }, message);
}
