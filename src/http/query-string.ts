// Takes a query string apart without mending anything, so that what is odd can be refused (readings.md).

/** A value that cannot be decoded is null; a name that cannot be decoded stays as it was sent. */
export interface RawParameter {
  readonly name: string;
  readonly value: string | null;
}

/** In the order of the query. Nothing between two ampersands is no parameter. */
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

/** Percent-decoded UTF-8; null for a broken encoding or bytes that are no UTF-8. */
export function decodeText(text: string): string | null {
  // Node hands over bytes above ASCII as Latin-1: back to bytes with them.
  const escaped = text.replaceAll(/[\x80-\xff]/g, byte => `%${byte.charCodeAt(0).toString(16)}`);
  try {
    return decodeURIComponent(escaped);
  } catch {
    return null;
  }
}
