// The client's address, and the key it is counted by (pure).
import { isIP, isIPv4, isIPv6 } from 'node:net';

/** Where a socket has no address any more (it was closed) or never had one (a Unix socket). */
const NO_ADDRESS = 'unknown';

/**
 * The address of the client behind `trustedProxies` proxies, each of which appended the address it was
 * called from to X-Forwarded-For. What stands further left was sent by the client and may be a lie.
 * An entry that is no address ends the walk: the nearest address that is known to be true stays.
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
 * What an address is counted by: IPv4 as it is (mapped into IPv6 too), IPv6 by its /64, since that is
 * what one customer is given. Anything else, a key too, stays as it is.
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

/** Some proxies write `1.2.3.4:5678` or `[2001:db8::1]:5678`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(hop);
  if (bracketed) return bracketed[1] ?? '';
  const [host = '', port, ...more] = hop.split(':');
  return port !== undefined && more.length === 0 && isIPv4(host) ? host : hop;
}

/** The eight 16-bit groups of a valid IPv6 address. */
function expand(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const left = groupsOf(head);
  if (tail === undefined) return left;
  const right = groupsOf(tail);
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function groupsOf(part: string): number[] {
  if (part === '') return [];
  return part.split(':').flatMap(group => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
