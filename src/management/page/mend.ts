// The commands that mend a held stream. The page names them and runs none. Pure.
import type { HeldStatus } from '../../projector/system-status.ts';
import { shellArgument } from '../../shell-argument.ts';

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
          command: `npx budgeting parked retry ${shellArgument(stream)}`,
        },
        {
          words: 'Or drop the event that holds it:',
          command: `npx budgeting parked skip ${shellArgument(stream)}`,
        },
      ];
    case 'gap':
      return [
        { words: 'It goes on by itself when the missing event comes.', command: null },
        {
          words: 'Or give the missing numbers up:',
          command: `npx budgeting parked skip --missing ${shellArgument(stream)}`,
        },
      ];
    case 'change':
      return [{ words: 'It goes on by itself when the big change is written.', command: null }];
  }
}
