// Reads the body of a request as text, up to a bound.
import type { IncomingMessage } from 'node:http';
import type { Context } from '../request-state.ts';
import { RPC, RpcError } from './json-rpc.ts';

/** The longest arguments that tools take have some 3 kB. */
const BODY_BYTES_MAX = 65_536;
const JSON_TYPE = /^application\/json *(?:;|$)/i;

/** @throws RpcError */
export async function readBody(ctx: Context): Promise<string> {
  if (!JSON_TYPE.test(ctx.get('Content-Type')) || ctx.get('Content-Encoding') !== '') {
    throw refused('Expected a body of the type application/json, not compressed, got another', 415);
  }
  const body = await readBytes(ctx.req);
  if (body !== null) return body.toString();
  // What still comes would have to be read.
  ctx.set('Connection', 'close');
  throw refused(`Expected a body of at most ${BODY_BYTES_MAX} bytes, got more`, 413);
}

/** Returns null beyond the bound. */
function readBytes(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= BODY_BYTES_MAX) chunks.push(chunk);
      else resolve(null);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    // Without this listener a client that goes away would end the process.
    request.on('error', () => {});
    const end = () => {
      if (!request.complete) reject(refused('Expected the whole body, got a part of it', 400));
    };
    request.once('close', end);
    // It may have gone away before its token was looked up.
    if (request.destroyed) end();
  });
}

function refused(message: string, status: number): RpcError {
  return new RpcError(message, { code: RPC.refused, status });
}
