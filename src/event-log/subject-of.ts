// The key of a line: the `subject` of its event, found without parsing the line if that is safe.

const LABEL = Buffer.from('"subject":"');
const OPEN_BRACE = 0x7b;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/** Returns the top-level `subject` of a JSON object; null if it has none or the line is no JSON object. */
export function subjectOf(line: Buffer): string | null {
  return quickSubject(line) ?? parsedSubject(line);
}

/**
 * Before the first nested object every label is top-level, and an unescaped quote after `{` or `,` opens a label:
 * inside a text the quote would be escaped. Returns null for any line that is not this simple.
 */
function quickSubject(line: Buffer): string | null {
  const label = line.indexOf(LABEL);
  if (label < 1 || line[0] !== OPEN_BRACE) return null;
  const before = line[label - 1];
  if (before !== COMMA && label !== 1) return null;
  const nested = line.indexOf(OPEN_BRACE, 1);
  if (nested !== -1 && nested < label) return null;
  const start = label + LABEL.length;
  const end = line.indexOf(QUOTE, start);
  if (end === -1) return null;
  const subject = line.toString('utf8', start, end);
  return subject.includes(String.fromCharCode(BACKSLASH)) ? null : subject;
}

function parsedSubject(line: Buffer): string | null {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    const subject = (value as { subject?: unknown } | null)?.subject;
    return typeof subject === 'string' ? subject : null;
  } catch {
    return null;
  }
}
