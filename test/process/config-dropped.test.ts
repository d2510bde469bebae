// Settings that would be dropped, or mean nothing as they are, are refused: nobody would notice.
import test from 'ava';
import { loadConfig } from '../../src/process/config.ts';
import { CERTIFICATE, KEY, refused } from './refused-config.ts';

const BROKERS = { KAFKA_BROKERS: 'kafka:9092' };
test(
  refused,
  { OIDC_USER_CLAIM: 'email' },
  'Expected OIDC_ISSUER beside OIDC_USER_CLAIM, got none',
);
const ZONED = {
  HOST: 'fe80::1%eth0',
  OIDC_ISSUER: 'https://login.example.com',
  OIDC_CLIENT_ID: 'budgeting',
};
test(
  refused,
  ZONED,
  'Expected PUBLIC_URL beside OIDC_ISSUER where HOST has a zone, which is in no URL, got HOST="fe80::1%eth0"',
);
test('a zone in HOST is taken with PUBLIC_URL, or without an issuer', t => {
  const publicUrl = 'https://budgeting.example.com';
  t.is(loadConfig({ ...ZONED, PUBLIC_URL: publicUrl }).publicUrl, publicUrl);
  t.is(loadConfig({ HOST: ZONED.HOST }).host, ZONED.HOST);
});
for (const folder of ['~', '~/budgeting']) {
  test(
    refused,
    { DATA_DIR: folder },
    `Expected DATA_DIR without ~, which only a shell replaces, got "${folder}"`,
  );
}
test(refused, { KAFKA_TLS: 'true' }, 'Expected KAFKA_BROKERS beside KAFKA_TLS, got none');
test(
  refused,
  { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'reader', KAFKA_SASL_PASSWORD: 'secret' },
  'Expected KAFKA_BROKERS beside KAFKA_SASL_MECHANISM, got none',
);
test(
  refused,
  { KAFKA_TLS_CA: CERTIFICATE },
  'Expected KAFKA_BROKERS beside KAFKA_TLS_CA, got none',
);
test(
  refused,
  { ...BROKERS, KAFKA_TLS_CA: CERTIFICATE },
  'Expected KAFKA_TLS beside KAFKA_TLS_CA, got none',
);
test(
  refused,
  { ...BROKERS, KAFKA_TLS_CERT: CERTIFICATE, KAFKA_TLS_KEY: KEY },
  'Expected KAFKA_TLS beside KAFKA_TLS_CERT, got none',
);
test(
  refused,
  { PUBLIC_URL: 'https://anna@budgeting.example.com' },
  'Expected PUBLIC_URL to be a text such as https://budgeting.example.com, got "https://anna@budgeting.example.com"',
);
test(
  refused,
  { KAFKA_BROKERS_FILE: '/run/brokers' },
  'Expected KAFKA_BROKERS itself, got KAFKA_BROKERS_FILE',
);
for (const name of ['OIDC_USER_CLAIM', 'HOST', 'DATA_DIR', 'KAFKA_SASL_USERNAME']) {
  const more = name.startsWith('KAFKA')
    ? { ...BROKERS, KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_PASSWORD: ' secret ' }
    : {};
  test(refused, { ...more, [name]: 'x ' }, `Expected ${name} without blanks around it, got "x "`);
}
test(
  refused,
  { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME_FILE: '/run/user' },
  'Expected KAFKA_SASL_USERNAME itself, got KAFKA_SASL_USERNAME_FILE',
);

test('certificates that are there are not used where KAFKA_TLS says false', t => {
  const { kafka } = loadConfig({ ...BROKERS, KAFKA_TLS: 'false', KAFKA_TLS_CA: CERTIFICATE });
  t.is(kafka?.tls, null);
});
