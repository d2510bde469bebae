// Messages of JSON-RPC 2.0 as MCP uses them: one to a request, parsed and checked, and the answers to them.
import { isUtf8 } from 'node:buffer';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { createAjv } from '../../process/validation.ts';
import type { Context } from '../request-state.ts';

/** Ids are echoed; null where a message had none that can be read. */
export type MessageId = string | number | null;

export interface Message {
  readonly jsonrpc: '2.0';
  /** Absent from a notification. */
  readonly id?: string | number;
  /** Absent from answers, although this service asks clients nothing. */
  readonly method?: string;
  readonly params?: Params;
}

export interface Params {
  readonly [name: string]: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Codes of JSON-RPC, and of MCP 2026-07-28. */
export const RPC = {
  refused: -32000,
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** A refusal of a message. Tools refuse by their results instead. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly status: number;
  readonly data: object | null;

  /** @param status that of the HTTP answer */
  constructor(
    message: string,
    { code, status, data = null }: { code: number; status: number; data?: object | null },
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

/** What tools take is flat; deeper values only cost time. */
const DEPTH_MAX = 32;

const SCHEMA = {
  type: 'object',
  properties: {
    jsonrpc: { const: '2.0' },
    id: { type: ['string', 'number'], maxLength: 200 },
    method: { type: 'string', maxLength: 200 },
    params: { type: 'object', properties: { _meta: { type: 'object' } } },
  },
  required: ['jsonrpc'],
};
/** Compiled at the first message, because a start should not wait for it. */
let isMessage: ValidateFunction<Message> | undefined;

/** @throws RpcError */
export function parseMessage(text: string): Message {
  const refused = (message: string, code: number) => new RpcError(message, { code, status: 400 });
  if (depthOf(text) > DEPTH_MAX) {
    throw refused(`Expected at most ${DEPTH_MAX} levels of JSON, got more`, RPC.invalidRequest);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refused('Expected JSON, got other text', RPC.parseError);
  }
  if (Array.isArray(value)) {
    throw refused('Expected one message, got a batch', RPC.invalidRequest);
  }
  isMessage ??= createAjv().compile<Message>(SCHEMA);
  const { id } = Object(value) as { id?: unknown };
  if (typeof id === 'number' && Math.abs(id) > Number.MAX_SAFE_INTEGER) {
    // It would be echoed as another number.
    throw refused(`Expected an id up to ${Number.MAX_SAFE_INTEGER}, got more`, RPC.invalidRequest);
  }
  if (isMessage(value) && ('method' in value || 'result' in value || 'error' in value)) {
    return value;
  }
  throw refused('Expected a message of JSON-RPC 2.0, got another JSON value', RPC.invalidRequest);
}

/** Returns how deep brackets nest outside of strings, in any text. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '"') isString = !isString;
    else if (isString) at += letter === '\\' ? 1 : 0;
    else if (letter === '[' || letter === '{') depth += 1;
    else if (letter === ']' || letter === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** `result` is JSON text already, because a page of rows comes as text. */
export function resultText(id: MessageId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

export function errorText(id: MessageId, { code, message, data }: RpcError): string {
  const error = { code, message, ...(data !== null && { data }) };
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

/** The longest arguments that tools take have some 3 kB. */
const BODY_BYTES_MAX = 65_536;
/** Until its body is there a message keeps a place of the process (http/bounds.ts). */
const BODY_MS_MAX = 5000;
const JSON_TYPE = /^application\/json *(?:;|$)/i;

/**
 * Reads the body of a request as text, up to a bound.
 *
 * @throws RpcError
 */
export async function readBody(ctx: Context): Promise<string> {
  if (!JSON_TYPE.test(ctx.get('Content-Type')) || ctx.get('Content-Encoding') !== '') {
    throw refused('Expected a body of the type application/json, not compressed, got another', 415);
  }
  const body = await readBytes(ctx);
  if (body !== null) {
    // A byte order mark stays, and is no JSON.
    if (isUtf8(body)) return body.toString();
    const [code, status] = [RPC.parseError, 400];
    throw new RpcError('Expected JSON in UTF-8, got other bytes', { code, status });
  }
  // What still comes would have to be read.
  ctx.set('Connection', 'close');
  throw refused(`Expected a body of at most ${BODY_BYTES_MAX} bytes, got more`, 413);
}

/** Returns null beyond the bound. */
function readBytes(ctx: Context): Promise<Buffer | null> {
  const request = ctx.req;
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      ctx.set('Connection', 'close');
      reject(refused('Expected the whole body within 5 seconds, got a part of it', 408));
    }, BODY_MS_MAX);
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= BODY_BYTES_MAX) chunks.push(chunk);
      else resolve(null);
    });
    request.once('end', () => {
      clearTimeout(late);
      resolve(Buffer.concat(chunks));
    });
    // Without this listener a client that goes away would end the process.
    request.on('error', () => {});
    // A body that came whole is not read either once its client has gone. After `end` this does nothing.
    const end = () => {
      clearTimeout(late);
      reject(refused('Expected the whole body, got a part of it', 400));
    };
    request.once('close', end);
    // It may have gone away before its token was looked up.
    if (request.destroyed) end();
  });
}

function refused(message: string, status: number): RpcError {
  return new RpcError(message, { code: RPC.refused, status });
}
