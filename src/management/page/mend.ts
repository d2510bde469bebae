// Returns the remedies for a held stream. The page shows their commands and runs none of them. Pure.
import type { HeldStatus } from '../../projector/system-status.ts';
import { shellArgument } from '../../shell-argument.ts';

export interface Mend {
  /** What to do, and when. */
  readonly text: string;
  /** Null if there is no command to run. */
  readonly command: string | null;
}

export function mendsOf({ stream, why }: Pick<HeldStatus, 'stream' | 'why'>): readonly Mend[] {
  switch (why) {
    case 'parked':
      return [
        {
          text: 'When the cause is mended, apply its queue again:',
          command: `npx budgeting parked retry ${shellArgument(stream)}`,
        },
        {
          text: 'Or drop the event that holds it:',
          command: `npx budgeting parked skip ${shellArgument(stream)}`,
        },
      ];
    case 'gap':
      return [
        { text: 'It goes on by itself when the missing event comes.', command: null },
        {
          text: 'Or give the missing numbers up:',
          command: `npx budgeting parked skip --missing ${shellArgument(stream)}`,
        },
      ];
    case 'change':
      return [{ text: 'It goes on by itself when the big change is written.', command: null }];
  }
}
