// Batches questions that arrive while a round of earlier ones runs: under load one round trip serves many, and a single
// question waits for none. A round starts after its questions arrived, so no answer is older than its question.
import { setImmediate } from 'node:timers/promises';
import { waitAtMost } from './waiting.ts';

interface Waiter<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** The next round does not wait longer for a slow one, so that one slow answer does not delay all. */
const ROUND_WAIT_MS_MAX = 10;

/** Questions of one round, since what a round costs may grow with their square; those beyond wait for the next one. */
const QUESTIONS_MAX = 500;

/**
 * Returns a function that asks one question as part of a batch.
 *
 * @param answer receives the questions of one key, and returns their answers in the same order
 * @param before returns an earlier step of the callers; a round waits for it, at most ROUND_WAIT_MS_MAX, so that the
 *   callers which pass that step join the round
 */
export function createBatches<Question, Answer>(
  answer: (questions: readonly Question[], key: string) => Promise<readonly Answer[]>,
  before?: () => Promise<unknown>,
): (question: Question, key?: string) => Promise<Answer> {
  /** Waiters for the next round, by key. A key is absent while it has no waiters and no running round. */
  const next = new Map<string, Waiter<Question, Answer>[]>();

  async function run(key: string): Promise<void> {
    for (;;) {
      // Callers released by one round mostly ask their next question together: lets them arrive first.
      await setImmediate();
      if (!next.get(key)?.length) break;
      if (before) {
        await waitAtMost(ROUND_WAIT_MS_MAX, before());
        await setImmediate();
      }
      const waiters = next.get(key)?.splice(0, QUESTIONS_MAX) ?? [];
      await waitAtMost(ROUND_WAIT_MS_MAX, answerAll(key, waiters));
    }
    next.delete(key);
  }

  async function answerAll(
    key: string,
    waiters: readonly Waiter<Question, Answer>[],
  ): Promise<void> {
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
