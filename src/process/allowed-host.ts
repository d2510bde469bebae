// Checks the headers Host and Origin of a request. A site that lets its own name resolve to this machine (DNS rebinding)
// still sends that name, and is refused. Pure.
import { isIP } from 'node:net';

export interface OwnNames {
  /** The configured host that the port listens on: a name or an address. */
  readonly listensOn: string;
  /** The name of this machine. */
  readonly machine: string;
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1)$/;

/**
 * Allows `localhost`, loopback addresses, the configured host and the machine's own name. If the port listens beyond
 * loopback, every numeric address is allowed too: DNS rebinding needs a name.
 *
 * @param host the Host header, with or without a port
 */
export function isAllowedHost(host: string | undefined, own: OwnNames): boolean {
  const name = nameOf(host);
  if (name === null) return false;
  const listensOn = own.listensOn.toLowerCase();
  const beyondLoopback = listensOn !== 'localhost' && !LOOPBACK.test(listensOn);
  return isOwnName(name, own) || (beyondLoopback && isIP(name) !== 0);
}

/**
 * Allows pages of this machine: under a name of it, or under the very address that the request went to. Any other address
 * may be anybody's.
 *
 * @param asked the Host header
 */
export function isAllowedOrigin(origin: string, asked: string | undefined, own: OwnNames): boolean {
  const name = URL.canParse(origin) ? nameOf(new URL(origin).host) : null;
  if (name === null) return false;
  return isOwnName(name, own) || (name === nameOf(asked) && isAllowedHost(asked, own));
}

function isOwnName(name: string, { listensOn, machine }: OwnNames): boolean {
  const known = ['localhost', listensOn.toLowerCase(), machine.toLowerCase()];
  return known.includes(name) || LOOPBACK.test(name);
}

/** Returns the host in lower case, an IPv6 address without its brackets; null if the header is malformed. */
function nameOf(host: string | undefined): string | null {
  const parts = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(host ?? '');
  return (parts?.[1] ?? parts?.[2] ?? null)?.toLowerCase() ?? null;
}
