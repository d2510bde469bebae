// The definition of a scenario: damage at which the product must stop, in a small world of its own.
import type { Random } from '../../histories/random.ts';
import type { Stage } from './stage.ts';

export interface Scenario {
  readonly name: string;
  run(stage: Stage, random: Random): Promise<void>;
}
