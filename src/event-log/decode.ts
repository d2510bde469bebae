// Turns a record of the log into an event of the catalogue, or says why it is none. Pure; runs once per event.
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import envelopeSchema from '../../schemas/envelope.json' with { type: 'json' };
import { EVENT_SCHEMAS } from '../../schemas/generated/event-schemas.ts';
import type { DomainEvent, EventEnvelope } from '../../schemas/generated/events.ts';
import { checkAt, createAjv, describeErrors } from '../validation.ts';
import { createUpcast, UPCASTERS, type Upcast, type Upcasters } from './upcast.ts';

/** What an invalid record still tells: each part that is well formed by itself. */
interface Salvaged {
  /** The stream: the record's key, or where it has none the event's subject. */
  subject: string | null;
  sequence: number | null;
  id: string | null;
  time: string | null;
  type: string | null;
}

export interface Invalid extends Salvaged {
  kind: 'invalid';
  /** undecodable: no JSON object; schema: against the contract; version: a known type's unknown version. */
  problem: 'undecodable' | 'schema' | 'version';
  /** A sentence for operators and producers. */
  reason: string;
}

type Envelope = EventEnvelope<string, unknown>;

export type Decoded =
  | { kind: 'event'; event: DomainEvent }
  | { kind: 'unknown-type'; envelope: Envelope }
  | Invalid;

/** Decodes one record's value and key; the key is null where there is none, as for a line of a file. */
export type Decode = (value: Uint8Array | string | null, key: string | null) => Decoded;

/** A decoder with upcasters of its own and, for the types they lift, schemas of its own. */
export function createDecode(
  upcasters: Upcasters,
  schemas: Readonly<Record<string, object>> = {},
): Decode {
  const ajv = createAjv().addSchema(envelopeSchema, 'schemas/envelope.json');
  const isEnvelope = checkAt(ajv, 'schemas/envelope.json');
  const dataCheck = createDataChecks(ajv, { ...EVENT_SCHEMAS, ...schemas });
  const upcast = createUpcast(upcasters);
  const salvage = createSalvage(ajv);

  function refuse(
    problem: Invalid['problem'],
    reason: string,
    parts: object,
    key: string | null,
  ): Invalid {
    return { kind: 'invalid', problem, reason, ...salvage(parts, key) };
  }

  function decodeData(envelope: Envelope, key: string | null): Decoded {
    const isData = dataCheck(envelope.type);
    if (isData === undefined) return { kind: 'unknown-type', envelope };
    const lifted = lift(upcast, envelope);
    if (!lifted.ok) {
      const reason = `Expected a known schemaversion of ${envelope.type}, got ${envelope.schemaversion}`;
      return refuse('version', reason, envelope, key);
    }
    envelope.data = lifted.data;
    if (isData(lifted.data)) return { kind: 'event', event: envelope as DomainEvent };
    return refuse('schema', why(isData, 'data'), envelope, key);
  }

  return (value, key) => {
    const parts = parse(value);
    if (typeof parts === 'string') return refuse('undecodable', parts, {}, key);
    if (!isEnvelope(parts)) return refuse('schema', why(isEnvelope, ''), parts, key);
    const envelope = parts as unknown as Envelope;
    if (key === null || key === envelope.subject) return decodeData(envelope, key);
    const reason = `Expected the subject ${envelope.subject} to be the record's key, got another`;
    return refuse('schema', reason, envelope, key);
  };
}

let decodeNow: Decode | undefined;

/** Decodes with the upcasters of this version. */
export const decode: Decode = (value, key) => {
  // Made for the first event: a reader's start need not wait for what it never decodes.
  decodeNow ??= createDecode(UPCASTERS);
  return decodeNow(value, key);
};

// A byte order mark is left in, where it is no JSON: bytes and text are judged alike.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The JSON object of a record, or a sentence why there is none. */
function parse(value: Uint8Array | string | null): object | string {
  if (value === null) return 'Expected an event, got a record without a value';
  let parsed: unknown;
  try {
    parsed = JSON.parse(typeof value === 'string' ? value : UTF8.decode(value));
  } catch (error) {
    // The parser's own words quote the text, which may be personal.
    const came = error instanceof SyntaxError ? 'text that is no JSON' : 'bytes that are no UTF-8';
    return `Expected an event as JSON in UTF-8, got ${came}`;
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  return 'Expected an event as a JSON object, got another JSON value';
}

/** CloudEvents may leave data out, which is enough where the type's schema requires nothing. */
function lift(upcast: Upcast, { type, schemaversion, data }: Envelope): ReturnType<Upcast> {
  try {
    return upcast(type, schemaversion, data ?? {});
  } catch {
    // What an upcaster stumbles over was no valid data of its version: no check of ours takes null.
    return { ok: true, data: null };
  }
}

/** The check of each type's data, compiled when its first event comes: all at once take a while. */
function createDataChecks(
  ajv: Ajv2020,
  schemas: Readonly<Record<string, object>>,
): (type: string) => ValidateFunction | undefined {
  const known = new Map(Object.entries(schemas));
  const compiled = new Map<string, ValidateFunction>();
  return type => {
    const check = compiled.get(type);
    if (check !== undefined) return check;
    const schema = known.get(type);
    if (schema === undefined) return undefined;
    const file = `schemas/events/${type}.json`;
    const made = checkAt(ajv.addSchema(schema, file), file);
    compiled.set(type, made);
    return made;
  };
}

function why(check: ValidateFunction, root: string): string {
  return describeErrors(check.errors, { root });
}

/** A function that takes from a broken event what can be believed. */
function createSalvage(ajv: Ajv2020): (parts: object, key: string | null) => Salvaged {
  const take = <T>(name: string) => {
    const check = checkAt(ajv, `schemas/envelope.json#/properties/${name}`);
    return (value: unknown) => (check(value) ? (value as T) : null);
  };
  const subject = take<string>('subject');
  const sequence = take<number>('sequence');
  const id = take<string>('id');
  const time = take<string>('time');
  const type = take<string>('type');
  return (parts, key) => {
    const given: Partial<Record<keyof Envelope, unknown>> = parts;
    return {
      subject: subject(key ?? given.subject),
      sequence: sequence(given.sequence),
      id: id(given.id),
      time: time(given.time),
      type: type(given.type),
    };
  };
}
