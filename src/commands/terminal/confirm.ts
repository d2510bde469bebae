// Asks the person at the terminal.
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { printable } from '../../process/printable.ts';

export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

/** Returns whether the answer is yes, and not Ctrl+C or Ctrl+D; null where no person is at the terminal. */
export async function confirm(
  question: string,
  { stdin, stdout }: Terminal,
): Promise<boolean | null> {
  if (!stdin.isTTY || !stdout.isTTY) return null;
  const lines = createInterface({ input: stdin, output: stdout });
  // Without an answer the question itself would wait for ever (Ctrl+D), or reject (Ctrl+C).
  const closed = once(lines, 'close').then(() => null);
  lines.once('SIGINT', () => lines.close());
  try {
    const asked = lines.question(`${printable(question)} [y/N] `).catch(() => null);
    const answer = await Promise.race([asked, closed]);
    if (answer === null) stdout.write('\n');
    return /^y(?:es)?$/i.test((answer ?? '').trim());
  } finally {
    lines.close();
  }
}
