// The content policy of pages whose style is part of the page.
import { createHash } from 'node:crypto';

/** Allows the page's own style and script, its icon, and requests of the script to this service, nothing else. */
export function selfContainedPolicy(style: string): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "script-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
