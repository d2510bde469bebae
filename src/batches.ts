// Answers questions together that come while the last ones are being answered: under load one round trip serves
// many, and a lone question waits for nobody. What is answered was asked for after each question had come.

import { setImmediate } from 'node:timers/promises';

interface Waiter<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** `answer` gets the questions of one key, at one time for each key, and gives as many answers in their order. */
export function createBatches<Question, Answer>(
  answer: (questions: readonly Question[], key: string) => Promise<readonly Answer[]>,
): (question: Question, key?: string) => Promise<Answer> {
  /** Those who wait for the next round, by key; a key is absent where no round is under way. */
  const next = new Map<string, Waiter<Question, Answer>[]>();

  async function run(key: string, first: Waiter<Question, Answer>): Promise<void> {
    next.set(key, [first]);
    for (;;) {
      // Those that one round set free mostly come to the next question together.
      await setImmediate();
      const waiters = next.get(key) ?? [];
      if (waiters.length === 0) break;
      next.set(key, []);
      await settle(key, waiters);
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
      if (waiting) waiting.push(waiter);
      else void run(key, waiter);
    });
}
