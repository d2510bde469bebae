// The cookies of the settings pages: hidden from scripts, and never sent with requests that other sites embed or post.
import type { Context } from '../../http/request-state.ts';

export interface Cookie {
  readonly name: string;
  readonly value: string;
  /** `Strict`: not even sent when a link of another site leads here. */
  readonly sameSite: 'Strict' | 'Lax';
  /** Absent: the cookie lasts until the browser is closed. */
  readonly maxAgeSeconds?: number;
}

export interface Cookies {
  /** Returns the value; empty if the cookie is absent. */
  read(ctx: Context, name: string): string;
  write(ctx: Context, cookie: Cookie): void;
  clear(ctx: Context, name: string): void;
}

/**
 * @param secure whether people come over HTTPS; the prefix `__Host-` then keeps other hosts from planting a cookie
 *   (RFC 6265bis)
 */
export function createCookies(secure: boolean): Cookies {
  const nameOf = (name: string) => `${secure ? '__Host-' : ''}budgeting-${name}`;
  const attributes = secure ? 'Path=/; HttpOnly; Secure' : 'Path=/settings; HttpOnly';
  return {
    read: (ctx, name) => ctx.cookies.get(nameOf(name)) ?? '',
    write(ctx, { name, value, sameSite, maxAgeSeconds }) {
      const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
      ctx.append(
        'Set-Cookie',
        `${nameOf(name)}=${value}; ${attributes}; SameSite=${sameSite}${age}`,
      );
    },
    clear(ctx, name) {
      ctx.append('Set-Cookie', `${nameOf(name)}=; ${attributes}; SameSite=Strict; Max-Age=0`);
    },
  };
}
