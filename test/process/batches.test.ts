import test from 'ava';
import { createBatches } from '../../src/process/batches.ts';

/** Returns batches whose rounds end when the test ends them. */
function manualRounds(before?: () => Promise<unknown>) {
  const rounds: { questions: readonly number[]; key: string; end: (error?: Error) => void }[] = [];
  const ask = createBatches<number, string>(
    (questions, key) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) =>
          error ? reject(error) : resolve(questions.map(question => `${key}${question}`));
        rounds.push({ questions, key, end });
      }),
    before,
  );
  return { rounds, ask };
}

const turn = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)));

test('simultaneous questions share one round, and each gets its own answer', async t => {
  const { rounds, ask } = manualRounds();
  const answers = Promise.all([ask(1), ask(2), ask(3)]);
  await turn();
  t.deepEqual(
    rounds.map(({ questions }) => questions),
    [[1, 2, 3]],
  );
  rounds[0]?.end();
  t.deepEqual(await answers, ['1', '2', '3']);
});

test('a round has at most 500 questions; the others follow in their order', async t => {
  const { rounds, ask } = manualRounds();
  let isAnswered = false;
  const answers = Promise.all(Array.from({ length: 1200 }, (_, index) => ask(index)));
  void answers.then(() => {
    isAnswered = true;
  });
  // A round does not wait long for the one before it, so two may run on a busy machine.
  while (!isAnswered) {
    await turn();
    for (const { end } of rounds) end();
  }
  t.deepEqual(
    rounds.map(({ questions }) => questions.length),
    [500, 500, 200],
  );
  t.deepEqual((await answers).slice(499, 501), ['499', '500']);
});

test('the next round answers questions that arrive during a round', async t => {
  const { rounds, ask } = manualRounds();
  const first = ask(1);
  await turn();
  const later = Promise.all([ask(2), ask(3)]);
  rounds[0]?.end();
  t.is(await first, '1');
  await turn();
  t.deepEqual(rounds[1]?.questions, [2, 3]);
  rounds[1]?.end();
  t.deepEqual(await later, ['2', '3']);
});

test('a new round does not wait for one that never ends', async t => {
  const { rounds, ask } = manualRounds();
  const slow = ask(1);
  await turn();
  const quick = ask(2);
  while (rounds.length < 2) await turn();
  rounds[1]?.end();
  t.is(await quick, '2');
  rounds[0]?.end();
  t.is(await slow, '1');
});

test('the rounds of different keys do not wait for each other', async t => {
  const { rounds, ask } = manualRounds();
  const slow = ask(1, 'a');
  await turn();
  const quick = ask(2, 'b');
  await turn();
  t.deepEqual(
    rounds.map(({ key }) => key),
    ['a', 'b'],
  );
  rounds[1]?.end();
  t.is(await quick, 'b2');
  rounds[0]?.end();
  t.is(await slow, 'a1');
});

test('a failed round fails only its own questions', async t => {
  const { rounds, ask } = manualRounds();
  const failing = [ask(1), ask(2)];
  await turn();
  const next = ask(3);
  rounds[0]?.end(new Error('away'));
  for (const one of failing) await t.throwsAsync(one, { message: 'away' });
  await turn();
  rounds[1]?.end();
  t.is(await next, '3');
});

test('a round waits for requests that are about to ask, and includes them', async t => {
  let fail = (_: Error) => {};
  const passing = new Promise((_, reject) => {
    fail = reject;
  });
  const { rounds, ask } = manualRounds(() => passing);
  const first = ask(1);
  await turn();
  t.deepEqual(rounds, []);
  const second = ask(2);
  fail(new Error('theirs alone'));
  while (rounds.length === 0) await turn();
  t.deepEqual(rounds[0]?.questions, [1, 2]);
  rounds[0]?.end();
  t.deepEqual(await Promise.all([first, second]), ['1', '2']);
});

test('a round waits a limited time for requests that are about to ask', async t => {
  const { rounds, ask } = manualRounds(() => new Promise(() => {}));
  const only = ask(1);
  while (rounds.length === 0) await turn();
  rounds[0]?.end();
  t.is(await only, '1');
});
