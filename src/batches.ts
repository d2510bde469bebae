// Answers questions together that come while the last ones are being answered: under load one round trip serves
// many, and a lone question waits for nobody. What is answered was asked for after each question had come.
import { setImmediate } from 'node:timers/promises';
import { settledWithin } from './settled-within.ts';

interface Waiter<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** A round that takes longer is not waited for: one slow answer must not hold up everyone. */
const PATIENCE_MS = 10;

/**
 * `answer` gets the questions of one key and gives as many answers in their order. `before` may name what those have to
 * pass who will ask here next: a round waits for it, as long as it has patience, and takes them along.
 */
export function createBatches<Question, Answer>(
  answer: (questions: readonly Question[], key: string) => Promise<readonly Answer[]>,
  before?: () => Promise<unknown>,
): (question: Question, key?: string) => Promise<Answer> {
  /** Those who wait for the next round, by key; a key is absent where nobody waits and no round is under way. */
  const next = new Map<string, Waiter<Question, Answer>[]>();

  async function run(key: string): Promise<void> {
    for (;;) {
      // Those that one round set free mostly come to the next question together.
      await setImmediate();
      if (!next.get(key)?.length) break;
      if (before) {
        await settledWithin(PATIENCE_MS, before());
        await setImmediate();
      }
      const waiters = next.get(key) ?? [];
      next.set(key, []);
      await settledWithin(PATIENCE_MS, settle(key, waiters));
    }
    next.delete(key);
  }

  async function settle(key: string, waiters: readonly Waiter<Question, Answer>[]): Promise<void> {
    try {
      const questions = waiters.map(({ question }) => question);
      const answers = await answer(questions, key);
      for (const [index, { resolve }] of waiters.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      for (const { reject } of waiters) reject(error);
    }
  }

  return (question, key = '') =>
    new Promise((resolve, reject) => {
      const waiter = { question, resolve, reject };
      const waiting = next.get(key);
      if (waiting) {
        waiting.push(waiter);
      } else {
        next.set(key, [waiter]);
        void run(key);
      }
    });
}
