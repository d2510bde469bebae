// A client of /mcp for tests, of any revision of the protocol.
import { askUntilAvailable } from '../ask-again.ts';
import type { Asked, Body } from '../serve.ts';

/** A tool says itself that the database pauses; each try may take seconds then. */
const TRIES_MAX = 20;
export const NEWEST = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

export interface McpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The message; null if there is none. */
  readonly body: Body;
}

interface McpAsked extends Asked {
  /** Sent as it is. */
  readonly text?: string | Uint8Array<ArrayBuffer>;
}

export async function post(
  origin: string,
  message: unknown,
  { token, headers = {}, method = 'POST', text }: McpAsked = {},
): Promise<McpAnswer> {
  // The database of a busy machine pauses now and then.
  const response = await askUntilAvailable(() =>
    fetch(`${origin}/mcp`, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(method === 'POST' && { body: text ?? JSON.stringify(message) }),
    }),
  );
  const sent = await response.text();
  const body = sent === '' ? null : JSON.parse(sent);
  return { status: response.status, headers: response.headers, body };
}

/** Returns a message of the newest revision, and its headers. */
export function newest(method: string, params: Record<string, unknown> = {}) {
  const name = typeof params.name === 'string' ? { 'mcp-name': params.name } : {};
  return {
    message: { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: META } },
    headers: { 'mcp-protocol-version': NEWEST, 'mcp-method': method, ...name },
  };
}

/** Calls a tool as clients before the newest revision do, and returns its result. */
export async function callTool(
  origin: string,
  token: string,
  { name, args = {} }: { readonly name: string; readonly args?: Record<string, unknown> },
): Promise<Body> {
  const params = { name, arguments: args };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  for (let tries = 1; ; tries += 1) {
    const { status, body } = await post(origin, message, { token });
    if (status !== 200 || body.error) {
      throw new Error(`Expected a result, got ${status} ${JSON.stringify(body)}`);
    }
    const isPaused = body.result.isError && /away or too slow/.test(body.result.content[0].text);
    if (!isPaused || tries === TRIES_MAX) return body.result;
  }
}

/** Returns what a tool refuses with. */
export function errorOf(result: Body): Body {
  if (result.isError !== true) throw new Error(`Expected an error, got ${JSON.stringify(result)}`);
  return JSON.parse(result.content[0].text).error;
}
