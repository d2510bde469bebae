// The guard on money in the model: exactly 2^51 hundredths are accepted, one more is not.
import test from 'ava';
import { GUARD_CASES, GUARDED } from './guard-cases.ts';
import { createScene } from './scene.ts';

for (const { title, given, refused } of GUARD_CASES) {
  test(`the guard of the model: ${title}`, t => {
    const scene = createScene();
    for (const draft of [...GUARDED, ...given]) t.is(scene.tell(draft), 'applied', draft.type);
    t.is(scene.tell(refused), 'held');
    t.is(scene.model.held()[0]?.refusal, 'beyond-money-guard');
  });
}
