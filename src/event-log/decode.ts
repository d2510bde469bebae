// Decodes a record of the log into an event of the catalogue, or returns why it is invalid. Pure; runs once per event.
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import envelopeSchema from '../../schemas/envelope.json' with { type: 'json' };
import { utcTime } from '../../schemas/formats.ts';
import { EVENT_SCHEMAS } from '../../schemas/generated/event-schemas.ts';
import type { DomainEvent, EventEnvelope } from '../../schemas/generated/events.ts';
import {
  checkAt,
  createAjv,
  describeError,
  describeErrors,
  tellingErrors,
} from '../process/validation.ts';
import { parseBase64, parseRecord } from './parse-record.ts';
import { createUpcast, UPCASTERS, type Upcast, type Upcasters } from './upcast.ts';

/** The parts of a record that are valid on their own; null for each other one. */
export interface Salvaged {
  /** The stream; null when the record belongs to none. */
  subject: string | null;
  sequence: number | null;
  id: string | null;
  time: string | null;
  type: string | null;
}

export interface InvalidRecord extends Salvaged {
  kind: 'invalid';
  /**
   * undecodable: not a JSON object, or too large; schema: violates the contract; version: unknown version of a known type; stray:
   * the record's key differs from its subject, so the record belongs to no stream.
   */
  problem: 'undecodable' | 'schema' | 'version' | 'stray';
  /** A sentence for operators and producers. */
  reason: string;
}

type Envelope = EventEnvelope<string, unknown> & { data_base64?: string };

const NEITHER =
  'Expected a CloudEvent: structured, with its attributes in the JSON value, or on Kafka binary, with them in ce_ headers; got neither';

export type Decoded =
  | { kind: 'event'; event: DomainEvent }
  | { kind: 'unknown-type'; envelope: Envelope }
  | InvalidRecord;

export function readableParts(decoded: Decoded): Salvaged {
  if (decoded.kind === 'event') return decoded.event;
  return decoded.kind === 'unknown-type' ? decoded.envelope : decoded;
}

/** The key of a record: null if it has none, undefined for a line of a file, which never has one. */
type Key = string | null | undefined;

/** Decodes the value of one record, and checks that its subject is its key. */
export type Decode = (value: Uint8Array | string | null, key?: Key) => Decoded;

interface Refused {
  readonly parts: object;
  readonly key: Key;
}

interface DecodeOptions {
  /** Adds to the catalogue, or replaces parts of it. */
  readonly schemas?: Readonly<Record<string, object>>;
  /** Whether the reason names everything that is wrong, one line each; the first one by default. */
  readonly allErrors?: boolean;
}

/** Returns a decoder with the given upcasters. */
export function createDecode(
  upcasters: Upcasters,
  { schemas = {}, allErrors = false }: DecodeOptions = {},
): Decode {
  const ajv = createAjv({ allErrors }).addSchema(envelopeSchema, 'schemas/envelope.json');
  const isEnvelope = checkAt<Envelope>(ajv, 'schemas/envelope.json');
  const dataCheck = createDataChecks(ajv, { ...EVENT_SCHEMAS, ...schemas });
  const upcast = createUpcast(upcasters);
  const salvage = createSalvage(ajv);

  function refuse(
    problem: InvalidRecord['problem'],
    reason: string,
    { parts, key }: Refused,
  ): InvalidRecord {
    return { kind: 'invalid', problem, reason, ...salvage.all(parts, key) };
  }

  function refuseStray({ parts, key }: Refused, subject: string): InvalidRecord {
    const reason = `Expected the subject ${subject} to be the record's key, got ${key === null ? 'no key' : 'another'}`;
    return refuse('stray', reason, { parts, key });
  }

  function decodeData(envelope: Envelope, key: Key): Decoded {
    const isData = dataCheck(envelope.type);
    if (isData === undefined) return { kind: 'unknown-type', envelope };
    const problem = takeBase64(envelope);
    if (problem !== null) return refuse('schema', problem, { parts: envelope, key });
    const upcasted = upcastData(upcast, envelope);
    if (!upcasted.ok) {
      const reason = `Expected a known schemaversion of ${envelope.type}, got ${envelope.schemaversion}`;
      return refuse('version', reason, { parts: envelope, key });
    }
    envelope.data = upcasted.data;
    if (isData(upcasted.data)) return { kind: 'event', event: envelope as DomainEvent };
    return refuse('schema', reasonOf(isData, 'data'), { parts: envelope, key });
  }

  return (value, key) => {
    const parts = parseRecord(value);
    if (typeof parts === 'string') return refuse('undecodable', parts, { parts: {}, key });
    if (isEnvelope(parts)) {
      normalize(parts);
      const isOwn = key === undefined || key === parts.subject;
      return isOwn ? decodeData(parts, key) : refuseStray({ parts, key }, parts.subject);
    }
    const isMeant = 'specversion' in parts || ('type' in parts && 'source' in parts);
    const reason = isMeant ? reasonOf(isEnvelope, '') : NEITHER;
    const subject = salvage.subject(parts);
    if (key !== undefined && subject !== null && key !== subject) {
      return refuseStray({ parts, key }, subject);
    }
    return refuse('schema', reason, { parts, key });
  };
}

let currentDecode: Decode | undefined;
let thoroughDecode: Decode | undefined;

/** Decodes with the upcasters of this program version. */
export const decode: Decode = (value, key) => {
  // Created for the first event: compiling schemas would slow the start of a reader, which decodes none.
  currentDecode ??= createDecode(UPCASTERS);
  return currentDecode(value, key);
};

/** Decodes as `decode` does, but the reason names everything that is wrong, one line each. It takes longer. */
export const decodeThoroughly: Decode = (value, key) => {
  thoroughDecode ??= createDecode(UPCASTERS, { allErrors: true });
  return thoroughDecode(value, key);
};

const UTC = /^.{10}T.*Z$/;

/** Writes the attributes in the one form that the program uses, whichever the producer's library writes. */
function normalize(envelope: Envelope): void {
  envelope.sequence = Number(envelope.sequence);
  envelope.schemaversion = Number(envelope.schemaversion);
  // The schema has checked the time already, and most producers write it in UTC.
  if (!UTC.test(envelope.time)) envelope.time = utcTime(envelope.time) ?? envelope.time;
}

/** Replaces `data_base64` by the data that it holds; returns a sentence if it cannot. */
function takeBase64(envelope: Envelope): string | null {
  const { data_base64: text } = envelope;
  if (text === undefined) return null;
  if (envelope.data !== undefined) return 'Expected data or data_base64, got both';
  const parsed = parseBase64(text);
  if (typeof parsed === 'string') return parsed;
  envelope.data = parsed.data;
  delete envelope.data_base64;
  return null;
}

/** CloudEvents allows an event without data: an empty object then stands for it. */
function upcastData(upcast: Upcast, { type, schemaversion, data }: Envelope): ReturnType<Upcast> {
  try {
    return upcast(type, schemaversion, data ?? {});
  } catch {
    // Only data that was invalid in its own version makes an upcaster throw: null fails every schema.
    return { ok: true, data: null };
  }
}

/** Returns the check of each type's data, compiled at its first event: compiling all at once takes a while. */
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

function reasonOf(check: ValidateFunction, root: string): string {
  const sentences = tellingErrors(check.errors).map(error => describeError(error, { root }));
  return [...new Set(sentences)].join('\n') || describeErrors(check.errors, { root });
}

/** Returns functions that read the valid parts of an invalid event. */
function createSalvage(ajv: Ajv2020) {
  const take = <T>(name: keyof Envelope) => {
    const check = checkAt(ajv, `schemas/envelope.json#/properties/${name}`);
    return (parts: Partial<Record<keyof Envelope, unknown>>) =>
      check(parts[name]) ? (parts[name] as T) : null;
  };
  const subject = take<string>('subject');
  const number = take<number | string>('sequence');
  const id = take<string>('id');
  const time = take<string>('time');
  const type = take<string>('type');
  return {
    subject,
    all(parts: object, key: Key): Salvaged {
      const own = subject(parts);
      const event = { time: utcTime(time(parts) ?? ''), type: type(parts) };
      if (key !== undefined && (own === null || key !== own)) {
        // The record's sequence and id count only if its subject is its key.
        const stream = own === null ? subject({ subject: key }) : null;
        return { subject: stream, sequence: null, id: null, ...event };
      }
      const sequence = number(parts);
      const known = sequence === null ? null : Number(sequence);
      return { subject: own, sequence: known, id: id(parts), ...event };
    },
  };
}
