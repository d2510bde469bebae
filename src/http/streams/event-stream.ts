// One open stream of server-sent events. A client that reads slowly costs one write and the newest position of each budget:
// while a write is under way, later positions replace earlier ones.
import type { PositionChange } from '../../store/reading/reach-state.ts';

/** The part of a response that a stream writes to. */
export interface StreamTarget {
  /** `written` is called when the text has left this process, with an error if it never will. */
  write(text: string, written: (error?: Error | null) => void): unknown;
  end(): void;
}

export interface EventStream {
  /** Tells positions, and which budgets are gone. */
  send(changes: readonly PositionChange[]): void;
  /** Writes a comment, unless something is being written: it shows both sides that the connection lives. */
  comment(): void;
  /** Ends the response. */
  end(): void;
  /** Writes nothing any more, because the response has ended. */
  stop(): void;
}

/** How long clients wait before they connect again. */
const RETRY_MS = 5000;

/** @param observe receives the name of each event that is written */
export function createEventStream(
  target: StreamTarget,
  observe: (event: EventName) => void = () => {},
): EventStream {
  const pending = new Map<string, number | null>();
  let isWriting = false;
  let isOver = false;

  function write(text: string): void {
    isWriting = true;
    target.write(text, error => {
      isWriting = false;
      if (error) isOver = true;
      flush();
    });
  }

  function flush(): void {
    if (isOver || isWriting || pending.size === 0) return;
    const changes = [...pending].map(([budgetId, position]) => ({ budgetId, position }));
    pending.clear();
    for (const change of changes) observe(nameOf(change));
    write(changes.map(eventText).join(''));
  }

  write(`retry: ${RETRY_MS}\n\n`);
  return {
    send(changes) {
      for (const { budgetId, position } of changes) pending.set(budgetId, position);
      flush();
    },
    comment() {
      if (!isOver && !isWriting) write(':\n\n');
    },
    end() {
      if (isOver) return;
      isOver = true;
      target.end();
    },
    stop() {
      isOver = true;
    },
  };
}

export type EventName = 'position' | 'gone';

function nameOf({ position }: PositionChange): EventName {
  return position === null ? 'gone' : 'position';
}

/** Ids consist of letters that JSON leaves alone, so that data is one line. */
function eventText(change: PositionChange): string {
  const { budgetId, position } = change;
  const data = position === null ? { budgetId } : { budgetId, position };
  return `event: ${nameOf(change)}\ndata: ${JSON.stringify(data)}\n\n`;
}
