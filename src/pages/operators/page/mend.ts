// Returns the remedies for a held stream. The page shows their commands and runs none of them. Pure.

import { shellArgument } from '../../../process/printable.ts';
import {
  describeWork,
  type HeldStatus,
  skipOption,
} from '../../../projector/operate/held-status.ts';

export interface Mend {
  /** What to do, and when. */
  readonly text: string;
  /** Null if there is no command to run. */
  readonly command: string | null;
}

type Mendable = Pick<HeldStatus, 'stream' | 'why' | 'event' | 'work'>;

export function mendsOf({ stream, why, event, work }: Mendable): readonly Mend[] {
  switch (why) {
    case 'parked':
      return [
        {
          text: 'When the cause is mended, apply its queue again:',
          command: `npx budgeting parked retry ${shellArgument(stream)}`,
        },
        {
          text: 'Or drop the event that holds it:',
          command: `npx budgeting parked skip ${skipOption(event)}${shellArgument(stream)}`,
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
      return [{ text: sentence(describeWork(work)), command: null }];
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
