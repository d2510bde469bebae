// Reads the messages of refusals from the sources: the texts in the first argument of the calls that make them, and every
// text that says what was expected.

export interface Refusal {
  readonly place: string;
  /** Each inserted value is `…`. */
  readonly text: string;
}

/** Calls whose first text is a message to people; internal errors (`new Error`) are none. */
const CALLS =
  /\b(?:new (?:UserError|HolderChangedError|DroppedError|StoreAwayError|DamagedLogError|NotReadyError)|unavailable|refusal|beingRebuilt)\(/g;
const EXPECTED = /(?<=[\s(=?:])(?=['`]Expected )/g;

/** @param path shown in the places */
export function refusalsIn(path: string, text: string): Refusal[] {
  // Comments quote messages, and have single apostrophes.
  const source = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  const place = (index: number) => `${path}:${source.slice(0, index).split('\n').length}`;
  const found = new Map<number, string>();
  for (const call of source.matchAll(CALLS)) {
    const from = call.index + call[0].length;
    const to = endOfArgument(source, from);
    for (const [index, text] of textsIn(source, from, to)) found.set(index, text);
  }
  for (const { index } of source.matchAll(EXPECTED)) {
    if (/new (?:Error|RangeError)\(\s*$/.test(source.slice(0, index))) continue;
    for (const [at, text] of textsIn(source, index, index + 1)) found.set(at, text);
  }
  return [...found]
    .filter(([, text]) => /[a-z]{3}/.test(text))
    .map(([index, message]) => ({ place: place(index), text: message }));
}

/** Returns the index of the comma or bracket behind an argument. */
function endOfArgument(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at += 1) {
    const letter = source[at] ?? '';
    if (isQuote(letter)) at = endOfText(source, at) - 1;
    else if ('([{'.includes(letter)) depth += 1;
    else if (depth === 0 && ',)'.includes(letter)) return at;
    else if (')]}'.includes(letter)) depth -= 1;
  }
  return source.length;
}

/** Returns the texts that begin between two places, by their index; texts joined by `+` are one. */
function textsIn(source: string, from: number, to: number): [number, string][] {
  const texts: [number, string][] = [];
  let joined = false;
  for (let at = from; at < to; at += 1) {
    const letter = source[at] ?? '';
    if (!isQuote(letter)) {
      if (letter === '+') joined = true;
      else if (!/\s/.test(letter)) joined = false;
      continue;
    }
    const end = endOfText(source, at);
    const text = source.slice(at + 1, end - 1).replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…');
    const last = texts.at(-1);
    if (joined && last) last[1] += text;
    else texts.push([at, text]);
    at = end - 1;
  }
  return texts;
}

function isQuote(letter: string): boolean {
  return letter === "'" || letter === '`';
}

/** Returns the index behind a text that begins with a quote; a template may hold others in its values. */
function endOfText(source: string, from: number): number {
  const quote = source[from];
  for (let at = from + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === quote) return at + 1;
    else if (quote === '`' && source.startsWith('${', at)) at = endOfValue(source, at + 2);
  }
  throw new Error(`Expected the end of the text at ${from}, got none`);
}

function endOfValue(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at += 1) {
    const letter = source[at] ?? '';
    if (isQuote(letter)) at = endOfText(source, at) - 1;
    else if (letter === '{') depth += 1;
    else if (letter === '}' && depth === 0) return at;
    else if (letter === '}') depth -= 1;
  }
  throw new Error(`Expected the end of the value at ${from}, got none`);
}
