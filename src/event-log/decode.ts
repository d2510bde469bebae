// Turns a record of the log into an event of the catalogue, or says why it is none. Pure; runs once per event.
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import envelopeSchema from '../../schemas/envelope.json' with { type: 'json' };
import { EVENT_SCHEMAS } from '../../schemas/generated/event-schemas.ts';
import type { DomainEvent, EventEnvelope } from '../../schemas/generated/events.ts';
import { checkAt, createAjv, describeErrors } from '../validation.ts';
import { createUpcast, UPCASTERS, type Upcast, type Upcasters } from './upcast.ts';

/** What an invalid record still tells: each part that is well formed by itself. */
interface Salvaged {
  /** The stream; null where the record belongs to none. */
  subject: string | null;
  sequence: number | null;
  id: string | null;
  time: string | null;
  type: string | null;
}

export interface Invalid extends Salvaged {
  kind: 'invalid';
  /**
   * undecodable: no JSON object; schema: against the contract; version: a known type's unknown version; stray: the
   * record's key is not its subject, so it belongs to no stream.
   */
  problem: 'undecodable' | 'schema' | 'version' | 'stray';
  /** A sentence for operators and producers. */
  reason: string;
}

type Envelope = EventEnvelope<string, unknown>;

export type Decoded =
  | { kind: 'event'; event: DomainEvent }
  | { kind: 'unknown-type'; envelope: Envelope }
  | Invalid;

/** The key of a record: null where it has none, absent for a line of a file, which never has one. */
type Key = string | null | undefined;

/** Decodes the value of one record, and holds its subject against its key. */
export type Decode = (value: Uint8Array | string | null, key?: Key) => Decoded;

/** A decoder with upcasters of its own and, for the types they lift, schemas of its own. */
export function createDecode(
  upcasters: Upcasters,
  schemas: Readonly<Record<string, object>> = {},
): Decode {
  const ajv = createAjv().addSchema(envelopeSchema, 'schemas/envelope.json');
  const isEnvelope = checkAt<Envelope>(ajv, 'schemas/envelope.json');
  const dataCheck = createDataChecks(ajv, { ...EVENT_SCHEMAS, ...schemas });
  const upcast = createUpcast(upcasters);
  const salvage = createSalvage(ajv);

  function refuse(fault: Pick<Invalid, 'problem' | 'reason'>, parts: object, key: Key): Invalid {
    return { kind: 'invalid', ...fault, ...salvage.all(parts, key) };
  }

  function refuseStray(parts: object, subject: string, key: Key): Invalid {
    const reason = `Expected the subject ${subject} to be the record's key, got ${key === null ? 'no key' : 'another'}`;
    return refuse({ problem: 'stray', reason }, parts, key);
  }

  function decodeData(envelope: Envelope, key: Key): Decoded {
    const isData = dataCheck(envelope.type);
    if (isData === undefined) return { kind: 'unknown-type', envelope };
    const lifted = lift(upcast, envelope);
    if (!lifted.ok) {
      const reason = `Expected a known schemaversion of ${envelope.type}, got ${envelope.schemaversion}`;
      return refuse({ problem: 'version', reason }, envelope, key);
    }
    envelope.data = lifted.data;
    if (isData(lifted.data)) return { kind: 'event', event: envelope as DomainEvent };
    return refuse({ problem: 'schema', reason: why(isData, 'data') }, envelope, key);
  }

  return (value, key) => {
    const parts = parse(value);
    if (typeof parts === 'string')
      return refuse({ problem: 'undecodable', reason: parts }, {}, key);
    if (isEnvelope(parts)) {
      const isOwn = key === undefined || key === parts.subject;
      return isOwn ? decodeData(parts, key) : refuseStray(parts, parts.subject, key);
    }
    const reason = why(isEnvelope, '');
    const subject = salvage.subject(parts);
    if (key !== undefined && subject !== null && key !== subject) {
      return refuseStray(parts, subject, key);
    }
    return refuse({ problem: 'schema', reason }, parts, key);
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

interface Salvage {
  subject(parts: object): string | null;
  all(parts: object, key: Key): Salvaged;
}

/** Functions that take from a broken event what can be believed. */
function createSalvage(ajv: Ajv2020): Salvage {
  const take = <T>(name: keyof Envelope) => {
    const check = checkAt(ajv, `schemas/envelope.json#/properties/${name}`);
    return (parts: Partial<Record<keyof Envelope, unknown>>) =>
      check(parts[name]) ? (parts[name] as T) : null;
  };
  const subject = take<string>('subject');
  const sequence = take<number>('sequence');
  const id = take<string>('id');
  const time = take<string>('time');
  const type = take<string>('type');
  return {
    subject,
    all(parts, key) {
      const own = subject(parts);
      if (key !== undefined && (own === null || key !== own)) {
        // What a record tells of itself counts for a stream only where its subject is the key.
        const stream = own === null ? subject({ subject: key }) : null;
        return { subject: stream, sequence: null, id: null, time: time(parts), type: type(parts) };
      }
      return {
        subject: own,
        sequence: sequence(parts),
        id: id(parts),
        time: time(parts),
        type: type(parts),
      };
    },
  };
}
