// The tests of a model: no scene has a violation, and each mended hole has one once it is open again.
import test from 'ava';
import { explore, type Model } from './explore.ts';

export interface Hole<Scene, Part> {
  readonly scene: Scene;
  readonly without: readonly Part[];
  readonly what: RegExp;
}

export function searchAll<Context extends object, State, Scene extends string>(
  model: (context: Context) => Model<State>,
  scenes: Readonly<Record<Scene, Context>>,
  holes: readonly Hole<NoInfer<Scene>, string>[],
): void {
  for (const [name, scene] of Object.entries<Context>(scenes)) {
    test(`the model has no violation: ${name}`, t => {
      const { violation, states } = explore(model(scene));
      t.is(violation, null, JSON.stringify(violation));
      t.log(`${states} states`);
    });
  }
  for (const { scene, without, what } of holes) {
    test(`the model finds the hole without ${without.join(', ')}: ${scene}`, t => {
      const { violation } = explore(model({ ...scenes[scene], without }));
      t.regex(violation?.what ?? '', what);
    });
  }
}
