// The cookies of the settings pages: never readable by scripts, never for another site's requests.
import type { Context } from '../http/request-state.ts';

export interface CookieOptions {
  /** Strict: not even where another site links here. */
  readonly sameSite: 'Strict' | 'Lax';
  /** Absent: until the browser is closed. */
  readonly maxAgeSeconds?: number;
}

export interface Cookies {
  /** Empty where it is absent. */
  read(ctx: Context, name: string): string;
  write(ctx: Context, name: string, value: string, options: CookieOptions): void;
  clear(ctx: Context, name: string): void;
}

/** `secure`: people come over HTTPS. Then no other host can plant a cookie of ours (RFC 6265bis, `__Host-`). */
export function createCookies(secure: boolean): Cookies {
  const nameOf = (name: string) => `${secure ? '__Host-' : ''}budgeting-${name}`;
  const attributes = secure ? 'Path=/; HttpOnly; Secure' : 'Path=/settings; HttpOnly';
  return {
    read: (ctx, name) => ctx.cookies.get(nameOf(name)) ?? '',
    write(ctx, name, value, { sameSite, maxAgeSeconds }) {
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
