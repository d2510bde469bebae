// Asks the person at the terminal.
import { createInterface } from 'node:readline/promises';

export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

/** Returns whether the answer is yes; null where no person is at the terminal. */
export async function confirm(
  question: string,
  { stdin, stdout }: Terminal,
): Promise<boolean | null> {
  if (!stdin.isTTY || !stdout.isTTY) return null;
  const lines = createInterface({ input: stdin, output: stdout });
  try {
    const answer = await lines.question(`${question} [y/N] `);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
