// The search itself: it reports a violation by a shortest way, and tells a fault from a step that goes on.
import test from 'ava';
import { copy, explore, type Model, type Step } from './explore.ts';

interface Counter {
  value: number;
  resets: number;
}

/** Counts to three; a fault may set it back once. */
function counter(wrong: (state: Counter) => string | null): Model<Counter> {
  return {
    init: () => [{ value: 0, resets: 0 }],
    next(state) {
      const steps: Step<Counter>[] = [];
      const go = (label: string, change: (to: Counter) => void) => {
        const to = copy(state);
        change(to);
        steps.push([label, to]);
      };
      if (state.value < 3) {
        go('count', to => {
          to.value += 1;
        });
      }
      if (state.resets === 0) {
        go('!reset', to => {
          Object.assign(to, { value: 0, resets: 1 });
        });
      }
      return steps;
    },
    invariant: wrong,
    quiescent: ({ value }) => (value === 3 ? null : `stuck at ${value}`),
  };
}

test('a search without a violation visits every state, and ends where only faults go on', t => {
  t.deepEqual(explore(counter(() => null)), { states: 8, quiescent: 2, violation: null });
});

test('a violation is reported by a shortest way to it', t => {
  const wrong = ({ value, resets }: Counter) => (value === 1 && resets === 1 ? 'wrong' : null);
  t.deepEqual(explore(counter(wrong)).violation, { what: 'wrong', trace: ['!reset', 'count'] });
});

test('a scene that is too large throws', t => {
  t.throws(
    () =>
      explore(
        counter(() => null),
        3,
      ),
    { message: /^Expected at most 3 states/ },
  );
});
