// An id within a command that people copy into a shell.

/** As a shell takes it: an id may begin as an option does, or with the tilde that stands for a home folder. */
export function shellArgument(id: string): string {
  if (id.startsWith('-')) return `-- ${id}`;
  return /^[A-Za-z0-9_.:][A-Za-z0-9_.:~-]*$/.test(id) ? id : quoted(id);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
