import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import schema from '../../schemas/config.json' with { type: 'json' };
import { loadConfig } from '../../src/process/config.ts';
import { describeConfig } from '../../src/process/config-variables.ts';
import { CERTIFICATE, KEY, refused } from './refused-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'config-'));
test.after.always(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test('an empty environment gives the defaults', t => {
  t.deepEqual(loadConfig({}), {
    mongodbUrl: null,
    kafka: null,
    eventsTopic: 'budgeting.events',
    dataDir: './data',
    host: '127.0.0.1',
    port: 3000,
    publicUrl: null,
    managementHost: '127.0.0.1',
    managementPort: 9464,
    trustedProxies: 0,
    mcp: true,
    rollbackMinutes: 60,
    limits: {
      addressPerMinute: 300,
      tokenReadsPerMinute: 60,
      tokenWritesPerMinute: 30,
      userPerMinute: 120,
      userPerDay: 20_000,
    },
    oidc: null,
    logLevel: 'info',
  });
});

/** Returns the configuration without a variable, or the message where others need it. */
function readWithout(env: NodeJS.ProcessEnv, name: string): unknown {
  try {
    return loadConfig({ ...env, [name]: undefined });
  } catch (error) {
    return (error as Error).message;
  }
}

test('every variable reaches its field', t => {
  const env: NodeJS.ProcessEnv = {
    MONGODB_URL: 'mongodb+srv://db.example.com',
    KAFKA_BROKERS: 'a:9092,b:9093',
    KAFKA_TLS: 'true',
    KAFKA_TLS_CA: CERTIFICATE,
    KAFKA_TLS_CERT: CERTIFICATE,
    KAFKA_TLS_KEY: KEY,
    KAFKA_SASL_MECHANISM: 'scram-sha-512',
    KAFKA_SASL_USERNAME: 'reader',
    KAFKA_SASL_PASSWORD: 'secret',
    EVENTS_TOPIC: 'events',
    DATA_DIR: '/data',
    HOST: '::',
    PORT: '0',
    PUBLIC_URL: 'https://Budgeting.example.com:443',
    MANAGEMENT_HOST: '0.0.0.0',
    MANAGEMENT_PORT: '65535',
    TRUSTED_PROXIES: '2',
    MCP: 'off',
    ROLLBACK_MINUTES: '90',
    RATE_LIMIT_IP_PER_MINUTE: '1',
    RATE_LIMIT_TOKEN_READS_PER_MINUTE: '2',
    RATE_LIMIT_TOKEN_WRITES_PER_MINUTE: '3',
    RATE_LIMIT_USER_PER_MINUTE: '4',
    RATE_LIMIT_USER_PER_DAY: '5',
    OIDC_ISSUER: 'https://login.example.com/realm',
    OIDC_CLIENT_ID: 'budgeting',
    OIDC_CLIENT_SECRET: 'hush',
    OIDC_USER_CLAIM: 'email',
    LOG_LEVEL: 'debug',
  };
  t.deepEqual(Object.keys(env).sort(), Object.keys(schema.properties).sort());
  const config = loadConfig(env);
  for (const name of Object.keys(env)) t.notDeepEqual(readWithout(env, name), config, name);
  t.deepEqual(config, {
    mongodbUrl: 'mongodb+srv://db.example.com',
    kafka: {
      brokers: ['a:9092', 'b:9093'],
      tls: { ca: CERTIFICATE, cert: CERTIFICATE, key: KEY },
      sasl: { mechanism: 'scram-sha-512', username: 'reader', password: 'secret' },
    },
    eventsTopic: 'events',
    dataDir: '/data',
    host: '::',
    port: 0,
    publicUrl: 'https://budgeting.example.com',
    managementHost: '0.0.0.0',
    managementPort: 65_535,
    trustedProxies: 2,
    mcp: false,
    rollbackMinutes: 90,
    limits: {
      addressPerMinute: 1,
      tokenReadsPerMinute: 2,
      tokenWritesPerMinute: 3,
      userPerMinute: 4,
      userPerDay: 5,
    },
    oidc: {
      issuer: 'https://login.example.com/realm',
      clientId: 'budgeting',
      clientSecret: 'hush',
      userClaim: 'email',
    },
    logLevel: 'debug',
  });
});

test('an empty variable counts as absent, and an unknown one is no error', t => {
  const env = { PORT: '', MONGODB_URL: '', MONGODB_URL_FILE: '', BUDGETING_COLOUR: 'blue' };
  t.deepEqual(loadConfig(env), loadConfig({}));
});

test('the configuration is frozen at every depth', t => {
  const config = loadConfig({ KAFKA_BROKERS: 'a:9092' });
  t.true(Object.isFrozen(config));
  t.true(Object.isFrozen(config.limits));
  t.true(Object.isFrozen(config.kafka?.brokers));
});

test('a secret may come from a file, without its trailing line break', t => {
  const config = loadConfig({
    MONGODB_URL_FILE: file('url', 'mongodb://u:p@db:27017\n'),
    KAFKA_BROKERS: 'a:9092',
    KAFKA_SASL_MECHANISM: 'plain',
    KAFKA_SASL_USERNAME: 'reader',
    KAFKA_SASL_PASSWORD_FILE: file('password', 'secret\r\n'),
  });
  t.is(config.mongodbUrl, 'mongodb://u:p@db:27017');
  t.is(config.kafka?.sasl?.password, 'secret');
});

test('only secrets come from files', t => {
  t.is(loadConfig({ PORT_FILE: file('port', '4000') }).port, 3000);
});

const PORTS = 'an integer from 0 to 65535';
test(refused, { PORT: 'abc' }, `Expected PORT to be ${PORTS}, got "abc"`);
test(refused, { PORT: '65536' }, `Expected PORT to be ${PORTS}, got 65536`);
test(refused, { PORT: '-1' }, `Expected PORT to be ${PORTS}, got -1`);
test(refused, { PORT: '80.5' }, `Expected PORT to be ${PORTS}, got "80.5"`);
test(refused, { PORT: '0x50' }, `Expected PORT to be ${PORTS}, got "0x50"`);
test(refused, { PORT: '1e3' }, `Expected PORT to be ${PORTS}, got "1e3"`);
test(refused, { PORT: ' 80' }, `Expected PORT to be ${PORTS}, got " 80"`);
test(
  refused,
  { RATE_LIMIT_USER_PER_DAY: '0' },
  'Expected RATE_LIMIT_USER_PER_DAY to be an integer from 1 to 1000000000, got 0',
);
test(refused, { MCP: 'false' }, 'Expected MCP to be one of on, off, got "false"');
for (const value of ['a:99999', 'a:0', 'a:9092,b:65536']) {
  test(
    refused,
    { KAFKA_BROKERS: value },
    `Expected KAFKA_BROKERS to be a text such as kafka-1:9092,kafka-2:9092, got "${value}"`,
  );
}
for (const value of ['.', '..']) {
  test(
    refused,
    { EVENTS_TOPIC: value },
    `Expected EVENTS_TOPIC to be a text such as budgeting.events, got "${value}"`,
  );
}
test(refused, { KAFKA_TLS: 'yes' }, 'Expected KAFKA_TLS to be true or false, got "yes"');
test(
  refused,
  { LOG_LEVEL: 'loud' },
  'Expected LOG_LEVEL to be one of fatal, error, warn, info, debug, trace, silent, got "loud"',
);
test(
  refused,
  { KAFKA_BROKERS: 'kafka' },
  'Expected KAFKA_BROKERS to be a text such as kafka-1:9092,kafka-2:9092, got "kafka"',
);
test(
  refused,
  { PUBLIC_URL: 'https://budgeting.example.com/' },
  'Expected PUBLIC_URL to be a text such as https://budgeting.example.com, got "https://budgeting.example.com/"',
);
test(
  refused,
  { PUBLIC_URL: 'http://:' },
  'Expected PUBLIC_URL to be a text such as https://budgeting.example.com, got "http://:"',
);
test(
  refused,
  { OIDC_ISSUER: 'https://[', OIDC_CLIENT_ID: 'budgeting' },
  'Expected OIDC_ISSUER to be a text such as https://login.example.com, got "https://["',
);
test(
  refused,
  { MONGODB_URL: 'postgres://u:hush@db' },
  'Expected MONGODB_URL to be a text such as mongodb://127.0.0.1:27017/?replicaSet=rs0, got a value that is not shown',
);
test(
  refused,
  { MONGODB_URL: 'mongodb://a', MONGODB_URL_FILE: '/b' },
  'Expected either MONGODB_URL or MONGODB_URL_FILE, got both',
);
test(
  refused,
  { OIDC_CLIENT_SECRET_FILE: '/no/such/file' },
  'Expected OIDC_CLIENT_SECRET_FILE to name a file that can be read, got "/no/such/file" (ENOENT)',
);
test(
  refused,
  { KAFKA_SASL_PASSWORD_FILE: file('empty', '\n') },
  'Expected KAFKA_SASL_PASSWORD to be a text that is not empty, got a value that is not shown',
);
test(
  refused,
  { OIDC_ISSUER: 'https://login.example.com' },
  'Expected OIDC_CLIENT_ID beside OIDC_ISSUER, got none',
);
test(
  refused,
  { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'reader' },
  'Expected KAFKA_SASL_PASSWORD beside KAFKA_SASL_MECHANISM, got none',
);
for (const [name, begin] of [
  ['KAFKA_TLS_CA', 'CERTIFICATE'],
  ['KAFKA_TLS_CERT', 'CERTIFICATE'],
  ['KAFKA_TLS_KEY', 'PRIVATE KEY'],
]) {
  const expected = `Expected ${name} to be a text such as -----BEGIN ${begin}-----…, got a value that is not shown`;
  test(refused, { [`${name}`]: 'no PEM' }, expected);
}
test(
  refused,
  { KAFKA_TLS_CERT: CERTIFICATE },
  'Expected KAFKA_TLS_KEY beside KAFKA_TLS_CERT, got none',
);

test('describeConfig lists every variable of the schema with its default', t => {
  const rows = describeConfig();
  t.deepEqual(
    rows.map(({ name }) => name),
    Object.keys(schema.properties),
  );
  t.deepEqual(
    rows.find(({ name }) => name === 'PORT'),
    {
      name: 'PORT',
      expected: PORTS,
      default: '3000',
      description: 'Port of the API and the settings page; 0 takes any free one',
      fromFile: false,
    },
  );
  t.like(
    rows.find(({ name }) => name === 'KAFKA_SASL_PASSWORD'),
    { default: null, fromFile: true },
  );
  t.is(
    rows.find(({ name }) => name === 'KAFKA_SASL_MECHANISM')?.description,
    'How to sign in to Kafka. Absent: without. One of plain, scram-sha-256, scram-sha-512',
  );
  t.true(rows.every(({ description }) => description !== ''));
});
