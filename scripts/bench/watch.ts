// Reports when the position of a stream becomes readable, from the database's change stream.
import type { ChangeStreamDocument, Db } from 'mongodb';

/** A document that stands for a stream, with its last sequence. */
export interface Positioned {
  readonly _id: string;
  readonly sequence: number;
}

export interface Watch {
  /** Waits until the position is readable, and resolves with that time (performance.now). */
  reached(subject: string, sequence: number): Promise<number>;
  close(): Promise<void>;
}

interface Waiter {
  readonly sequence: number;
  readonly resolve: (at: number) => void;
}

export async function watchPositions(database: Db, name: string): Promise<Watch> {
  const waiting = new Map<string, Waiter[]>();
  const positions = new Map<string, { sequence: number; at: number }>();
  // Watches from this time on, however long opening the change stream takes.
  const { operationTime: startAtOperationTime } = await database.command({ ping: 1 });
  const stream = database
    .collection<Positioned>(name)
    .watch([], { fullDocument: 'updateLookup', startAtOperationTime });
  const take = (change: ChangeStreamDocument<Positioned>) => {
    if (!('fullDocument' in change) || !change.fullDocument) return;
    const at = performance.now();
    const { _id: subject, sequence } = change.fullDocument;
    positions.set(subject, { sequence, at });
    const waiters = waiting.get(subject) ?? [];
    for (const waiter of waiters) if (waiter.sequence <= sequence) waiter.resolve(at);
    waiting.set(
      subject,
      waiters.filter(waiter => waiter.sequence > sequence),
    );
  };
  stream.on('change', take);
  return {
    reached: (subject, sequence) =>
      new Promise(resolve => {
        const position = positions.get(subject);
        if (position && position.sequence >= sequence) return resolve(position.at);
        waiting.set(subject, [...(waiting.get(subject) ?? []), { sequence, resolve }]);
      }),
    close: () => stream.close(),
  };
}
