// Text of files, events and the store in messages for people: nothing in it may command a terminal or fill it, nor mean
// something else in a command that people copy into a shell.

/** Control characters, except tabs and line feeds, and marks that end a line or turn the direction of writing. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\ufeff]/gu;
/** Longer texts are cut after this many characters. */
const SHOWN_MAX = 40;
/** Longer lines are cut after this many characters. */
const LINE_MAX = 1000;

/** Returns the text with control characters escaped as in JSON, so JSON keeps its meaning. */
export function printable(text: string): string {
  return text.replaceAll(
    UNPRINTABLE,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns a text as a cell of a table: on one line, also where it has tabs and line feeds. */
export function cell(text: string): string {
  return printable(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** Returns a text from outside as a message quotes it: in quotation marks, and cut. */
export function shown(text: string): string {
  const start = text.slice(0, 2 * SHOWN_MAX);
  const characters = [...start];
  if (characters.length <= SHOWN_MAX && start.length === text.length) return JSON.stringify(text);
  return `${JSON.stringify(characters.slice(0, SHOWN_MAX).join(''))} and more`;
}

/** Returns a number with what it counts, such as `1 record`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** Returns the text with its long lines cut. */
export function withShortLines(text: string): string {
  return text
    .split('\n')
    .map(line => {
      if (line.length <= LINE_MAX) return line;
      const more = (line.length - LINE_MAX).toLocaleString('en-US');
      return `${line.slice(0, LINE_MAX)} … and ${more} characters more`;
    })
    .join('\n');
}

/** Returns the text as a shell argument. An id may start like an option, or with `~`, which a shell expands. */
export function shellArgument(text: string): string {
  if (text.startsWith('-')) return `-- ${text}`;
  return /^[A-Za-z0-9_.:/][A-Za-z0-9_.:/~-]*$/.test(text) ? text : quoted(text);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const QUOTED = /"(?:[^"\\]|\\.)*"?( and more)?/g;
/** Of a difference. What damage of the log expects is shown: offsets and settings. */
const VALUES = /(?<=^Verification found a difference: .*): expected .*$/s;
/** Amounts of laws, and sums in hundredths. */
const AMOUNTS = /(?<![\d.])-?\d+\.\d{2}(?!\d|\.\d)|-?\d+(?= hundredths)/g;

/**
 * Removes the values from a reason: values of documents and of malformed events may hold personal text. The command
 * line shows them, because its users can read the database anyway.
 */
export function redactReason(reason: string): string {
  return reason.replace(VALUES, '').replaceAll(QUOTED, 'a text').replaceAll(AMOUNTS, '…');
}
