// Certificates and keys for TLS, looked at as the process starts: TLS would retry with bad ones for ever, and drops what it
// cannot read of authorities.
import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

export interface TlsTexts {
  /** PEM; null: not configured. */
  readonly ca: string | null;
  readonly cert: string | null;
  readonly key: string | null;
}

const BLOCK = /-----BEGIN [^-]*CERTIFICATE-----[^-]*-----END [^-]*CERTIFICATE-----/g;

/** Returns which of the texts cannot be used and what was expected of it; null if all can. */
export function unusable({
  ca,
  cert,
  key,
}: TlsTexts): [name: keyof TlsTexts, expected: string] | null {
  if (ca !== null && !areCertificates(ca)) return ['ca', CERTIFICATES];
  if (cert !== null && !areCertificates(cert)) return ['cert', CERTIFICATES];
  if (cert === null || key === null) return null;
  if (!works({ key })) return ['key', 'a private key without a passphrase'];
  return works({ cert, key }) ? null : ['key', 'the private key of the certificate'];
}

const CERTIFICATES = 'certificates that can be read';

function areCertificates(pem: string): boolean {
  const blocks = pem.match(BLOCK) ?? [];
  return blocks.length > 0 && blocks.every(block => succeeds(() => new X509Certificate(block)));
}

function works(texts: { readonly cert?: string; readonly key: string }): boolean {
  return succeeds(() => createSecureContext(texts));
}

function succeeds(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}
