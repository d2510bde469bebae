// The address of a client, and the key that limits count it under (pure).
import { isIP, isIPv4, isIPv6 } from 'node:net';

/** Stands for the address of a closed socket or of a Unix socket. */
const NO_ADDRESS = 'unknown';

/**
 * Returns the address of the client behind `trustedProxies` proxies, each of which appends its caller's address to
 * X-Forwarded-For. The client sent the entries further left, so they may be forged. An entry that is not an address
 * ends the walk, and the last trusted address is returned.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  let address = socketAddress || NO_ADDRESS;
  const hops = (forwardedFor ?? '').split(',').reverse();
  for (const hop of hops.slice(0, trustedProxies)) {
    const found = withoutPort(hop.trim());
    if (isIP(found) === 0) break;
    address = found;
  }
  return address;
}

/**
 * Returns the key that an address is counted under: an IPv4 address itself, also when mapped into IPv6; the /64 of an
 * IPv6 address, because one customer gets a whole /64. Any other text, such as a key, is returned unchanged.
 */
export function addressKey(address: string): string {
  const plain = address.split('%', 1)[0] ?? '';
  if (!isIPv6(plain)) return address;
  const groups = expand(plain);
  if (groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff) {
    return groups
      .slice(6)
      .flatMap(group => [group >> 8, group & 0xff])
      .join('.');
  }
  return `${groups
    .slice(0, 4)
    .map(group => group.toString(16))
    .join(':')}::/64`;
}

/** Returns a hop without its port: some proxies write `1.2.3.4:5678` or `[2001:db8::1]:5678`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(hop);
  if (bracketed) return bracketed[1] ?? '';
  const [host = '', port, ...more] = hop.split(':');
  return port !== undefined && more.length === 0 && isIPv4(host) ? host : hop;
}

/** Returns the eight 16-bit groups of a valid IPv6 address. A URL has it in hexadecimal groups alone. */
function expand(address: string): number[] {
  const halves = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [left = [], right = []] = halves.map(half =>
    half.split(':').flatMap(group => (group === '' ? [] : Number.parseInt(group, 16))),
  );
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}
