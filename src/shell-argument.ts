// Quotes an id in a command that people copy into a shell.

/** Returns the id as a shell argument. An id may start like an option, or with `~`, which a shell expands. */
export function shellArgument(id: string): string {
  if (id.startsWith('-')) return `-- ${id}`;
  return /^[A-Za-z0-9_.:][A-Za-z0-9_.:~-]*$/.test(id) ? id : quoted(id);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
