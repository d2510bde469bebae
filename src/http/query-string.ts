// Splits a query string without repairing anything, so that malformed parameters can be refused
// (rules/api.md#strict-parameters).

/** `value` is null if it or the name cannot be decoded; such a name stays as it was sent. */
export interface RawParameter {
  readonly name: string;
  readonly value: string | null;
}

/** Returns the parameters in the order of the query; empty pieces between ampersands are skipped. */
export function parseQuery(query: string): RawParameter[] {
  const parameters: RawParameter[] = [];
  for (const piece of query.split('&')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const rawName = equals === -1 ? piece : piece.slice(0, equals);
    const rawValue = equals === -1 ? '' : piece.slice(equals + 1);
    const name = decodeText(rawName.replaceAll('+', ' '));
    const value = decodeText(rawValue.replaceAll('+', ' '));
    parameters.push(name === null ? { name: rawName, value: null } : { name, value });
  }
  return parameters;
}

/** Returns the percent-decoded text; null for a broken encoding or bytes that are not UTF-8. */
export function decodeText(text: string): string | null {
  // Node decodes bytes above ASCII as Latin-1; this turns them back into bytes.
  const escaped = text.replaceAll(/[\x80-\xff]/g, byte => `%${byte.charCodeAt(0).toString(16)}`);
  try {
    return decodeURIComponent(escaped);
  } catch {
    return null;
  }
}
