// Whether a request was meant for this port. A page of another site that has its own name resolve to this machine
// (DNS rebinding) still sends that name as Host, and gets nothing. Pure.
import { isIP } from 'node:net';

export interface OwnNames {
  /** What the port listens on, as configured: a name or an address. */
  readonly listensOn: string;
  /** Name of this machine. */
  readonly machine: string;
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1)$/;

/**
 * `localhost`, addresses of loopback, the name or address that is listened on and the machine's own name. Where the
 * port listens beyond loopback, every address in digits too: only names can be made to resolve elsewhere.
 *
 * @param host the Host header, with or without a port
 */
export function isAllowedHost(host: string | undefined, own: OwnNames): boolean {
  const name = nameOf(host);
  if (name === null) return false;
  const listensOn = own.listensOn.toLowerCase();
  const known = ['localhost', listensOn, own.machine.toLowerCase()];
  if (known.includes(name) || LOOPBACK.test(name)) return true;
  const beyondLoopback = listensOn !== 'localhost' && !LOOPBACK.test(listensOn);
  return beyondLoopback && isIP(name) !== 0;
}

/** The host in small letters, an IPv6 address without its brackets; null where it is none. */
function nameOf(host: string | undefined): string | null {
  const parts = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(host ?? '');
  return (parts?.[1] ?? parts?.[2] ?? null)?.toLowerCase() ?? null;
}
