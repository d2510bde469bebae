// The commands that mend a held stream. The page names them and runs none. Pure.
import type { HeldStatus } from '../../projector/system-status.ts';

export interface Mend {
  /** What to do, and when. */
  readonly words: string;
  /** Null where there is nothing to be run. */
  readonly command: string | null;
}

export function mendsOf({ stream, why }: Pick<HeldStatus, 'stream' | 'why'>): readonly Mend[] {
  switch (why) {
    case 'parked':
      return [
        {
          words: 'When the cause is mended, apply its queue again:',
          command: `npx budgeting parked retry ${argument(stream)}`,
        },
        {
          words: 'Or drop the event that holds it:',
          command: `npx budgeting parked skip ${argument(stream)}`,
        },
      ];
    case 'gap':
      return [
        { words: 'It goes on by itself when the missing event comes.', command: null },
        {
          words: 'Or give the missing numbers up:',
          command: `npx budgeting parked skip --missing ${argument(stream)}`,
        },
      ];
    case 'change':
      return [{ words: 'It goes on by itself when the big change is written.', command: null }];
  }
}

/** As a shell takes it: an id may begin as an option does, or with the tilde that stands for a home folder. */
function argument(stream: string): string {
  if (stream.startsWith('-')) return `-- ${stream}`;
  return /^[A-Za-z0-9_.:][A-Za-z0-9_.:~-]*$/.test(stream) ? stream : quoted(stream);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
