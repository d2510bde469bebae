// Quotes an id or a path in a command that people copy into a shell.

/** Returns the text as a shell argument. An id may start like an option, or with `~`, which a shell expands. */
export function shellArgument(text: string): string {
  if (text.startsWith('-')) return `-- ${text}`;
  return /^[A-Za-z0-9_.:/][A-Za-z0-9_.:/~-]*$/.test(text) ? text : quoted(text);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
