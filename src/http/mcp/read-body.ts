// Reads the body of a request as text, up to a bound.
import type { Context } from '../request-state.ts';
import { RPC, RpcError } from './json-rpc.ts';

/** The longest arguments that tools take have some 3 kB. */
const BODY_BYTES_MAX = 65_536;
const JSON_TYPE = /^application\/json *(?:;|$)/i;

/** @throws RpcError */
export async function readBody(ctx: Context): Promise<string> {
  const refused = (message: string, status: number) =>
    new RpcError(message, { code: RPC.refused, status });
  if (!JSON_TYPE.test(ctx.get('Content-Type')) || ctx.get('Content-Encoding') !== '') {
    throw refused('Expected a body of the type application/json, not compressed', 415);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of ctx.req) {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) {
      // What still comes would have to be read.
      ctx.set('Connection', 'close');
      throw refused(`Expected a body of at most ${BODY_BYTES_MAX} bytes`, 413);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
