// The configuration from the environment, checked once at start against schemas/config.json and frozen.
import { readFileSync } from 'node:fs';
import type { ErrorObject } from 'ajv/dist/2020.js';
import schema from '../../schemas/config.json' with { type: 'json' };
import { type TlsTexts, unusable } from './check-certificates.ts';
import {
  expectation,
  type Name,
  VARIABLES,
  type Value,
  type Variable,
} from './config-variables.ts';
import { UserError } from './errors.ts';
import { createAjv } from './validation.ts';

/** The number of requests allowed in each window; more are refused with 429. */
export interface RateLimits {
  readonly addressPerMinute: number;
  readonly tokenReadsPerMinute: number;
  readonly tokenWritesPerMinute: number;
  readonly userPerMinute: number;
  readonly userPerDay: number;
}

export interface KafkaConfig {
  readonly brokers: readonly string[];
  /** Null: no TLS. */
  readonly tls: TlsTexts | null;
  readonly sasl: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  } | null;
}

export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client without a secret. */
  readonly clientSecret: string | null;
  readonly userClaim: string;
}

export interface Config {
  /** Null: the embedded mongod. */
  readonly mongodbUrl: string | null;
  /** Null: the embedded log. */
  readonly kafka: KafkaConfig | null;
  readonly eventsTopic: string;
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /**
   * An origin as URLs have it: in lower case, without a default port, in ASCII, without a slash at its end; null: the
   * address that the server listens on.
   */
  readonly publicUrl: string | null;
  readonly managementHost: string;
  readonly managementPort: number;
  readonly trustedProxies: number;
  /** Whether assistants may read by the Model Context Protocol. */
  readonly mcp: boolean;
  /** How long a replaced generation is kept for a rollback. */
  readonly rollbackMinutes: number;
  readonly limits: RateLimits;
  /** Null: people sign in by a one-time link. */
  readonly oidc: OidcConfig | null;
  readonly logLevel: string;
}

type Values = Partial<Record<Name, Value>>;

/** Names that no other program has: HOST_FILE may be of one. */
const OWN_NAMES = /^(?:KAFKA|EVENTS|OIDC)_/;

const EXIT_CODE = 2;
const check = createAjv().compile(schema);

/** @throws UserError (exit code 2) with the variable, the expected value and the one found */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const values: Values = {};
  for (const [name, variable] of VARIABLES) {
    const text = readVariable(env, name, variable);
    const value = text === undefined ? variable.default : coerce(text, variable);
    if (value !== undefined) values[name] = value;
  }
  if (!check(values)) throw configError(problem(check.errors?.[0], values));
  const wrong = droppedValue(env, values) ?? unusableText(values);
  if (wrong !== null) throw configError(wrong);
  return deepFreeze(toConfig(values));
}

/** Returns undefined also for an empty variable, because compose files write absent ones so. */
function readVariable(env: NodeJS.ProcessEnv, name: Name, variable: Variable): string | undefined {
  const direct = env[name] || undefined;
  const path = env[`${name}_FILE`] || undefined;
  if (path === undefined) return direct;
  if (!variable.writeOnly) {
    if (!OWN_NAMES.test(name)) return direct;
    throw configError(`Expected ${name} itself, got ${name}_FILE`);
  }
  if (direct !== undefined) {
    throw configError(`Expected either ${name} or ${name}_FILE, got both`);
  }
  try {
    return readFileSync(path, 'utf8').trimEnd();
  } catch (cause) {
    const got = `${JSON.stringify(path)} (${(cause as NodeJS.ErrnoException).code})`;
    throw configError(`Expected ${name}_FILE to name a file that can be read, got ${got}`, cause);
  }
}

/** Converts only plain notation: `0x10`, `1e3` or `yes` stay texts, which the schema refuses. */
function coerce(text: string, { type }: Variable): Value {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function problem(error: ErrorObject | undefined, values: Values): string {
  if (error?.keyword === 'dependentRequired') {
    const { property, missingProperty } = error.params;
    return `Expected ${missingProperty} beside ${property}, got none`;
  }
  const name = error?.instancePath.slice(1) as Name;
  const variable: Variable = schema.properties[name];
  const got = variable.writeOnly ? 'a value that is not shown' : JSON.stringify(values[name]);
  return `Expected ${name} to be ${expectation(variable)}, got ${got}`;
}

/** Returns what nobody would notice: a value that would be dropped, or one with blanks around it. */
function droppedValue(env: NodeJS.ProcessEnv, values: Values): string | null {
  const { KAFKA_TLS: isTls, KAFKA_TLS_CA: ca, KAFKA_TLS_CERT: cert } = values;
  if (isTls === true && values.KAFKA_BROKERS === undefined) {
    return 'Expected KAFKA_BROKERS beside KAFKA_TLS, got none';
  }
  // Who writes false means it, although certificates are there.
  if (!env.KAFKA_TLS && (ca ?? cert) !== undefined) {
    const name = ca === undefined ? 'KAFKA_TLS_CERT' : 'KAFKA_TLS_CA';
    return `Expected KAFKA_TLS beside ${name}, got none`;
  }
  for (const [name, { writeOnly }] of VARIABLES) {
    const value = values[name];
    if (!writeOnly && typeof value === 'string' && value.trim() !== value) {
      return `Expected ${name} without blanks around it, got ${JSON.stringify(value)}`;
    }
  }
  const folder = String(values.DATA_DIR);
  if (/^~(?:\/|$)/.test(folder)) {
    return `Expected DATA_DIR without ~, which only a shell replaces, got ${JSON.stringify(folder)}`;
  }
  if (env.OIDC_USER_CLAIM && values.OIDC_ISSUER === undefined) {
    return 'Expected OIDC_ISSUER beside OIDC_USER_CLAIM, got none';
  }
  return null;
}

/** Returns what an issuer, or TLS to Kafka, could not use. */
function unusableText(values: Values): string | null {
  const { HOST: host, OIDC_ISSUER: issuer, PUBLIC_URL: publicUrl } = values;
  if (issuer !== undefined && publicUrl === undefined && String(host).includes('%')) {
    return `Expected PUBLIC_URL beside OIDC_ISSUER where HOST has a zone, which is in no URL, got HOST=${JSON.stringify(host)}`;
  }
  const found = unusable(tlsOf(values));
  if (found === null) return null;
  const [name, expected] = found;
  return `Expected KAFKA_TLS_${name.toUpperCase()} to be ${expected}, got a value that is not shown`;
}

function textOrNull(values: Values, name: Name): string | null {
  return (values[name] as string | undefined) ?? null;
}

function tlsOf(values: Values): TlsTexts {
  return {
    ca: textOrNull(values, 'KAFKA_TLS_CA'),
    cert: textOrNull(values, 'KAFKA_TLS_CERT'),
    key: textOrNull(values, 'KAFKA_TLS_KEY'),
  };
}

function toConfig(values: Values): Config {
  const text = (name: Name) => values[name] as string;
  const integer = (name: Name) => values[name] as number;
  return {
    mongodbUrl: textOrNull(values, 'MONGODB_URL'),
    kafka: toKafka(values),
    eventsTopic: text('EVENTS_TOPIC'),
    dataDir: text('DATA_DIR'),
    host: text('HOST'),
    port: integer('PORT'),
    publicUrl: values.PUBLIC_URL === undefined ? null : new URL(text('PUBLIC_URL')).origin,
    managementHost: text('MANAGEMENT_HOST'),
    managementPort: integer('MANAGEMENT_PORT'),
    trustedProxies: integer('TRUSTED_PROXIES'),
    mcp: text('MCP') === 'on',
    rollbackMinutes: integer('ROLLBACK_MINUTES'),
    limits: {
      addressPerMinute: integer('RATE_LIMIT_IP_PER_MINUTE'),
      tokenReadsPerMinute: integer('RATE_LIMIT_TOKEN_READS_PER_MINUTE'),
      tokenWritesPerMinute: integer('RATE_LIMIT_TOKEN_WRITES_PER_MINUTE'),
      userPerMinute: integer('RATE_LIMIT_USER_PER_MINUTE'),
      userPerDay: integer('RATE_LIMIT_USER_PER_DAY'),
    },
    oidc:
      values.OIDC_ISSUER === undefined
        ? null
        : {
            issuer: text('OIDC_ISSUER'),
            clientId: text('OIDC_CLIENT_ID'),
            clientSecret: textOrNull(values, 'OIDC_CLIENT_SECRET'),
            userClaim: text('OIDC_USER_CLAIM'),
          },
    logLevel: text('LOG_LEVEL'),
  };
}

function toKafka(values: Values): KafkaConfig | null {
  if (values.KAFKA_BROKERS === undefined) return null;
  const sasl = {
    mechanism: values.KAFKA_SASL_MECHANISM as 'plain' | 'scram-sha-256' | 'scram-sha-512',
    username: values.KAFKA_SASL_USERNAME as string,
    password: values.KAFKA_SASL_PASSWORD as string,
  };
  return {
    brokers: String(values.KAFKA_BROKERS).split(','),
    tls: values.KAFKA_TLS === true ? tlsOf(values) : null,
    sasl: values.KAFKA_SASL_MECHANISM === undefined ? null : sasl,
  };
}

function configError(message: string, cause?: unknown): UserError {
  return new UserError(message, { exitCode: EXIT_CODE, cause });
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
