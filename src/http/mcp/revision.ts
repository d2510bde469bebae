// The revisions of MCP: which one a message follows, and whether its headers agree with it. Before 2026-07-28 a client begins
// with `initialize`; since then each request says in `_meta` what it needs, and in headers what it is.
import { shown } from '../../process/printable.ts';
import { type Message, RPC, RpcError } from './json-rpc.ts';

export const NEWEST = '2026-07-28';
/** Newest first. */
export const BEFORE: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const ALL = [NEWEST, ...BEFORE];

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const BASE64 = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/** Returns a header of the request, undefined if it is absent. */
export type HeaderOf = (name: string) => string | undefined;

/**
 * Returns whether the message follows the newest revision, by its `_meta` or, where it has none, by its header.
 *
 * @throws RpcError if it names a revision that is not spoken here, or its headers say something else than it does
 */
export function isNewest(message: Message, headerOf: HeaderOf): boolean {
  const header = headerOf('mcp-protocol-version')?.trim();
  const meta = message.params?._meta ?? {};
  const claimed = meta[VERSION_KEY];
  if (claimed === undefined && header !== NEWEST) {
    if (header !== undefined && !BEFORE.includes(header)) throw unsupported(header);
    return false;
  }
  // Notifications and answers need no envelope.
  if (message.id === undefined || message.method === undefined) return true;
  checkEnvelope(meta);
  if (header !== claimed) throw mismatch('MCP-Protocol-Version', String(claimed));
  if (claimed !== NEWEST) throw unsupported(String(claimed));
  checkNames(message, headerOf);
  return true;
}

function checkEnvelope(meta: Readonly<Record<string, unknown>>): void {
  if (typeof meta[VERSION_KEY] !== 'string') throw invalidMeta(`${VERSION_KEY} to be text`);
  const capabilities = meta[CAPABILITIES_KEY];
  const isObject =
    typeof capabilities === 'object' && capabilities !== null && !Array.isArray(capabilities);
  if (!isObject) throw invalidMeta(`${CAPABILITIES_KEY} to be an object`);
}

function checkNames({ method, params = {} }: Message, headerOf: HeaderOf): void {
  if (headerOf('mcp-method')?.trim() !== method) throw mismatch('Mcp-Method', String(method));
  if (method !== 'tools/call' || typeof params.name !== 'string') return;
  if (decoded(headerOf('mcp-name')?.trim()) !== params.name) {
    throw mismatch('Mcp-Name', params.name);
  }
}

/** Names beyond ASCII come in Base64. Returns undefined for one that is malformed. */
function decoded(header: string | undefined): string | undefined {
  if (!header?.startsWith('=?base64?') || !header.endsWith('?=')) return header;
  const [, text = ''] = BASE64.exec(header) ?? [];
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes.toString() : undefined;
}

/** Returns the revision that an `initialize` is answered with: the requested one, or the newest that has it. */
export function negotiated(requested: unknown): string {
  return BEFORE.find(revision => revision === requested) ?? String(BEFORE[0]);
}

function mismatch(header: string, expected: string): RpcError {
  const message = `Expected the header ${header} to be ${JSON.stringify(expected)} as in the body, got another`;
  return new RpcError(message, { code: RPC.headerMismatch, status: 400 });
}

function invalidMeta(expected: string): RpcError {
  const message = `Expected params._meta with ${expected}, got none`;
  return new RpcError(message, { code: RPC.invalidParams, status: 400 });
}

function unsupported(requested: string): RpcError {
  const message = `Expected one of the protocol versions ${ALL.join(', ')}, got ${shown(requested)}`;
  const data = { supported: ALL, requested };
  return new RpcError(message, { code: RPC.unsupportedVersion, status: 400, data });
}
