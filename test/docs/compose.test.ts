// docker-compose.yml and the Dockerfile agree with each other and with the code. Needs no container engine.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { IMAGE_ENVIRONMENT } from '../../scripts/bench/processes.ts';
import { COMMANDS } from '../../src/commands/commands.ts';
import { CALLBACK_PATH } from '../../src/pages/settings/sign-in/by-oidc.ts';
import { loadConfig } from '../../src/process/config.ts';
import { describeConfig } from '../../src/process/config-variables.ts';
import { test } from '../helpers/file-test.ts';

interface Service {
  readonly build?: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly restart?: string;
  readonly environment?: Readonly<Record<string, unknown>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly configs?: readonly { readonly source: string }[];
  readonly networks?: readonly string[] | Readonly<Record<string, { aliases?: string[] }>>;
  readonly depends_on?:
    | readonly string[]
    | Readonly<Record<string, { readonly condition?: string }>>;
  readonly tmpfs?: readonly string[];
  readonly healthcheck?: {
    readonly test: readonly string[];
    readonly timeout: string;
    readonly start_period: string;
  };
  readonly deploy?: {
    readonly replicas?: number;
    readonly resources: { readonly limits: Readonly<Record<string, string>> };
  };
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const root = process.cwd();
const run = promisify(execFile);
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const compose: Compose = parse(read('docker-compose.yml'), { merge: true });
const dockerfile = read('Dockerfile');
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image === 'budgeting-read-api');
const readers = ours.filter(([, { command }]) => command?.[0] === 'serve');
const projectors = ours.filter(([, { command }]) => command?.[0] === 'project');

test('two projectors and two readers run from the image that one service builds', t => {
  const commands = ours.map(([, { command }]) => command?.[0]).sort();
  t.deepEqual(commands, ['project', 'project', 'serve']);
  t.deepEqual(
    readers.map(([, { deploy }]) => deploy?.replicas),
    [2],
  );
  // Each service that builds makes an image of its own, and the next start recreates the others.
  t.deepEqual(
    services.filter(([, { build }]) => build !== undefined).map(([name]) => name),
    ['reader'],
  );
  for (const command of commands)
    t.true(
      COMMANDS.some(({ name }) => name === command),
      command,
    );
});

test('services set known variables to valid values', t => {
  const known = describeConfig().flatMap(({ name, fromFile }) =>
    fromFile ? [name, `${name}_FILE`] : [name],
  );
  for (const [name, { environment }] of ours) {
    const set = Object.entries(environment ?? {});
    for (const [variable, value] of set) {
      t.true(known.includes(variable), `${name}: ${variable}`);
      // Compose accepts other scalars too, but YAML may change how a number or a boolean is written.
      t.is(typeof value, 'string', `${name}: ${variable}`);
    }
    t.notThrows(() => loadConfig(Object.fromEntries(set) as NodeJS.ProcessEnv), name);
  }
});

test('all four processes share one store, and only projectors reach the log', t => {
  const variable = (name: string, of = ours) =>
    of.map(([, { environment }]) => environment?.[name]);
  t.is(new Set(variable('MONGODB_URL')).size, 1);
  for (const name of ['KAFKA_BROKERS', 'EVENTS_TOPIC']) {
    t.is(new Set(variable(name, projectors)).size, 1, name);
    t.deepEqual(variable(name, readers).filter(Boolean), [], name);
  }
  for (const [name, reader] of readers) t.false(networksOf(reader).includes('log'), name);
  for (const network of ['store', 'log']) t.true(compose.networks[network]?.internal, network);
});

test('addresses name services on a shared network and the ports they listen on', t => {
  for (const [name, { environment }] of ours) {
    t.true(sees(name, new URL(String(environment?.MONGODB_URL)).hostname), name);
  }
  for (const [name, { environment }] of projectors) {
    const [broker = '', port] = String(environment?.KAFKA_BROKERS).split(':');
    t.true(sees(name, broker), name);
    const kafka = compose.services[broker]?.environment ?? {};
    t.true(String(kafka.KAFKA_ADVERTISED_LISTENERS).endsWith(`//${broker}:${port}`), name);
  }
});

test('the proxy distributes requests among the readers, which trust the proxy alone', t => {
  const caddyfile = compose.configs.caddyfile?.content ?? '';
  const [, name, port] =
    /dynamic a \{\s+name (\S+)\s+port (\S+)\s+refresh 5s\s+\}/.exec(caddyfile) ?? [];
  t.deepEqual(
    [[name, port]],
    readers.map(([service, { environment }]) => [service, environment?.PORT]),
  );
  t.regex(caddyfile, /lb_policy round_robin/);
  for (const [name, { environment, ports }] of readers) {
    t.is(environment?.TRUSTED_PROXIES, '1', name);
    t.is(environment?.HOST, '0.0.0.0', name);
    // A client that bypasses the proxy could forge its address.
    t.is(ports, undefined, name);
  }
  const [published] = compose.services.proxy?.ports ?? [];
  const [, inside] = /^127\.0\.0\.1:\d+:(\d+)$/.exec(published ?? '') ?? [];
  t.true(caddyfile.includes(`http://:${inside} {`));
  t.is(readers[0]?.[1].environment?.PUBLIC_URL, `http://localhost:${published?.split(':')[1]}`);
});

test('the provider knows the client and its callback, and has one address for browsers and readers', t => {
  const dex = parse(compose.configs.dex?.content ?? '');
  const environment = readers[0]?.[1].environment ?? {};
  t.is(dex.issuer, environment.OIDC_ISSUER);
  const [client] = dex.staticClients;
  t.is(client.id, environment.OIDC_CLIENT_ID);
  t.deepEqual(client.redirectURIs, [`${environment.PUBLIC_URL}${CALLBACK_PATH}`]);
  const { hostname, port } = new URL(dex.issuer);
  const { networks, ports } = compose.services.dex ?? {};
  t.true((networks as Record<string, { aliases: string[] }>).edge?.aliases.includes(hostname));
  // Browsers resolve every name below localhost to this machine.
  t.true(hostname.endsWith('.localhost'));
  t.deepEqual(ports, [`127.0.0.1:${port}:${port}`]);
  t.true(String(dex.web.http).endsWith(`:${port}`));
});

const isOurs = ({ image }: Service) => image === 'budgeting-read-api';
/** Services that others wait for to end. */
const endsBy = new Set(
  services.flatMap(([, { depends_on: needs = [] }]) =>
    Object.entries(needs).flatMap(([name, { condition }]) =>
      condition === 'service_completed_successfully' ? [name] : [],
    ),
  ),
);

test('every service restarts, has limits and a check, and listens on this machine alone', t => {
  for (const [name, service] of services) {
    t.is(service.restart, endsBy.has(name) ? 'on-failure:5' : 'unless-stopped', name);
    t.truthy(service.deploy?.resources.limits.memory, name);
    t.truthy(service.deploy?.resources.limits.cpus, name);
    const { healthcheck } = service;
    t.true(isOurs(service) || endsBy.has(name) || healthcheck !== undefined, name);
    // A busy machine takes seconds to start anything.
    if (healthcheck) t.is(healthcheck.timeout, '10s', name);
    if (healthcheck) t.regex(healthcheck.start_period, /^(30|60)s$/, name);
    t.false(
      /\b(node|mongosh)\b/.test(String(healthcheck?.test)),
      `${name} starts no program that costs`,
    );
    for (const port of service.ports ?? []) t.regex(port, /^127\.0\.0\.1:/, name);
  }
});

test('every image is pinned by version and digest', t => {
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
  t.is(new Set(bases).size, 1, 'both stages have the same base');
  const images = services.flatMap(([, one]) => (isOurs(one) ? [] : [one.image ?? '']));
  for (const image of [...bases, ...images]) t.regex(image, /:v?\d+[\w.-]*@sha256:[0-9a-f]{64}$/);
});

test('every name that a service uses is defined, and every defined name is used', t => {
  const named = (of: (service: Service) => readonly string[]) =>
    [...new Set(services.flatMap(([, service]) => of(service)))].sort();
  const volumes = named(({ volumes = [] }) => volumes.map(volume => volume.split(':')[0] ?? ''));
  const configs = named(({ configs = [] }) => configs.map(({ source }) => source));
  t.deepEqual(volumes, Object.keys(compose.volumes).sort());
  t.deepEqual(configs, Object.keys(compose.configs).sort());
  t.deepEqual(named(networksOf), Object.keys(compose.networks).sort());
  for (const [name, { depends_on: needs = [] }] of services) {
    const wanted = Array.isArray(needs) ? needs : Object.keys(needs);
    for (const other of wanted) t.true(Object.hasOwn(compose.services, other), `${name}: ${other}`);
  }
});

test('the image copies what its ignore file admits, and each of these paths exists', async t => {
  const ignore = read('.dockerignore')
    .split('\n')
    .filter(line => /^[^#]/.test(line));
  t.is(ignore[0], '*');
  const letIn = ignore.slice(1).map(line => line.replace(/^!/, ''));
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' ').map(path => path.replace('./', '')),
  );
  t.deepEqual([...letIn].sort(), [...new Set(copied)].sort());
  for (const path of copied) await t.notThrowsAsync(stat(join(root, path)), path);
});

test('the image runs as an ordinary user, stops on SIGTERM, and downloads no mongod', t => {
  t.regex(dockerfile, /^USER node$/m);
  t.regex(dockerfile, /^STOPSIGNAL SIGTERM$/m);
  const { NODE_OPTIONS: option, ...environment } = IMAGE_ENVIRONMENT;
  t.true(dockerfile.includes(`\nENTRYPOINT ["node", "${option}", "dist/src/cli.js"]\n`));
  const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  t.true(dockerfile.includes(`\nENV ${settings.join(' ')}\n`));
  for (const [line] of dockerfile.matchAll(/npm (ci|install|prune)\b.*/g)) {
    t.true(line.includes('--ignore-scripts'), line);
  }
});

for (const [where, check, path] of [
  ['the image', imageCheck(), '/livez'],
  ...readers.map(([name, { healthcheck }]) => [name, healthcheck?.test.slice(1), '/readyz']),
] as [string, string[], string][]) {
  test(`the health check of ${where} requests ${path}, and fails on a bad answer and on none`, async t => {
    const asked: string[] = [];
    let status = 200;
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(status).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const [command = '', ...args] = check.map(word =>
      word.replaceAll(/\b9464\b/g, String(port)).replaceAll('$$', '$'),
    );
    const env = { ...process.env, MANAGEMENT_PORT: String(port) };
    const exitCode = () =>
      run(command, args, { env }).then(
        () => 0,
        ({ code }) => code,
      );
    t.is(await exitCode(), 0);
    status = 503;
    t.is(await exitCode(), 1);
    server.close();
    await once(server, 'close');
    t.is(await exitCode(), 1);
    t.deepEqual(asked, [path, path]);
  });
}

function imageCheck(): string[] {
  const [, words = '[]'] = /^HEALTHCHECK [^[]*CMD (\[.+\])$/m.exec(dockerfile) ?? [];
  return JSON.parse(words);
}

function networksOf({ networks = [] }: Service): readonly string[] {
  return Array.isArray(networks) ? networks : Object.keys(networks);
}

function sees(from: string, to: string): boolean {
  const [one, other] = [compose.services[from], compose.services[to]];
  if (!one || !other) return false;
  return networksOf(one).some(network => networksOf(other).includes(network));
}
