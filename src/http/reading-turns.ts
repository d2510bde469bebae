// Readings of one person run a few at a time: however many requests come at once, those of others find the process free.
import { setMaxListeners } from 'node:events';
import { DatabaseTimeoutError, withDeadline } from '../store/database-errors.ts';
import { unavailable } from './api-error.ts';

/** Longest time of a whole reading, with the wait for its turn, even if the database never answers; beyond it the client gets 503. */
export const READING_MS_MAX = 8000;

export interface ReadingTurns {
  /**
   * Runs a reading once it is the person's turn, in the order of the calls. The signal that it gets aborts when the client
   * has gone away or the time is over: from then on others may run, whether it ends or not.
   *
   * @throws ApiError `unavailable` if most of the time went by before its turn; DatabaseTimeoutError if it did not end in time
   */
  run<T>(
    person: string,
    abandoned: AbortSignal,
    read: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
}

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * @param max how many run at a time for each person
 * @param msMax another time than the documented one
 */
export function createReadingTurns(max: number, msMax = READING_MS_MAX): ReadingTurns {
  const lines = new Map<string, Line>();

  function leave(person: string, line: Line): void {
    const next = line.waiting.shift();
    if (next) next();
    else line.running -= 1;
    if (line.running === 0) lines.delete(person);
  }

  /** Returns the function that gives the turn on; it may be called again. */
  async function turnOf(person: string, signal: AbortSignal): Promise<() => void> {
    const line = lines.get(person) ?? { running: 0, waiting: [] };
    lines.set(person, line);
    if (line.running < max) line.running += 1;
    else await nextPlace(line, signal);
    let hasTurn = true;
    const end = () => {
      signal.removeEventListener('abort', end);
      if (hasTurn) leave(person, line);
      hasTurn = false;
    };
    signal.addEventListener('abort', end);
    return end;
  }

  return {
    async run(person, abandoned, read) {
      // Not of AbortSignal.any, which costs more than the rest of a small answer.
      const ended = new AbortController();
      const { signal } = ended;
      setMaxListeners(0, signal);
      const abandon = () => ended.abort(abandoned.reason);
      abandoned.addEventListener('abort', abandon);
      if (abandoned.aborted) abandon();
      const calledAtMs = performance.now();
      let waitedMs = msMax;
      const inTurn = async () => {
        signal.throwIfAborted();
        const end = await turnOf(person, signal);
        try {
          // It may have aborted between the last turn and this one.
          signal.throwIfAborted();
          waitedMs = performance.now() - calledAtMs;
          return await read(signal);
        } finally {
          end();
        }
      };
      try {
        return await withDeadline(msMax, inTurn());
      } catch (error) {
        if (!(error instanceof DatabaseTimeoutError)) throw error;
        ended.abort(error);
        if (waitedMs < msMax / 2) throw error;
        throw unavailable(
          'Too many of your requests are read at once: send fewer, or try again when they have ended',
        );
      } finally {
        abandoned.removeEventListener('abort', abandon);
      }
    },
  };
}

function nextPlace({ waiting }: Line, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      signal.removeEventListener('abort', abort);
      resolve();
    };
    const abort = () => {
      waiting.splice(waiting.indexOf(begin), 1);
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    waiting.push(begin);
  });
}
