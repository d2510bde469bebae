// Readings of one person run a few at a time: however many requests come at once, those of others find the process free.

export interface ReadingTurns {
  /** Runs the work once it is the client's turn, in the order of the calls; not at all if the signal aborts before. */
  run<T>(client: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/** @param max how many run at a time for each client */
export function createReadingTurns(max: number): ReadingTurns {
  const lines = new Map<string, Line>();

  function end(client: string, line: Line): void {
    const next = line.waiting.shift();
    if (next) next();
    else line.running -= 1;
    if (line.running === 0) lines.delete(client);
  }

  return {
    async run(client, signal, work) {
      const line = lines.get(client) ?? { running: 0, waiting: [] };
      lines.set(client, line);
      if (line.running < max) line.running += 1;
      else await new Promise<void>(resolve => line.waiting.push(resolve));
      try {
        signal.throwIfAborted();
        return await work();
      } finally {
        end(client, line);
      }
    },
  };
}
