// Faults that are planted on purpose: the simulation has to find each of them.
import type { step } from '../../src/projector/machine/machine.ts';
import type { Input, Machine, MachineEffect } from '../../src/projector/machine/machine-state.ts';

type Step = typeof step;
type Decided = ReturnType<Step>;
type MachineFault = (run: Step, machine: Machine, input: Input) => Decided;

/** Faults of the store's writes, which sim-collections.ts plants: a comparison or a part of the write is missing. */
export const STORE_FAULTS = [
  'no epoch in the filter',
  'no offset, no heads compared',
  'checkpoint in a commit of its own',
  'head not compared',
  'queue entry dropped',
  'queue entry kept',
  'parts dropped',
] as const;

/** Faults of the machine: each changes what it receives, or what it decides. */
export const MACHINE_FAULTS = {
  'cache kept after going back': (run, machine, input) => {
    const isBack = input.is === 'checkpoint' || input.is === 'aborted';
    return changed(run(machine, input), one => (isBack && one.do === 'clear cache' ? [] : [one]));
  },
  'failed write called stored': (run, machine, input) =>
    run(machine, input.is === 'write failed' ? { is: 'stored', seen: input.seen } : input),
  'failed write never believed stored': (run, machine, input) => {
    const step = machine.work?.step;
    const from = step?.at === 'checkpoint' ? step.write.transaction.from.next : 0;
    return run(machine, withNext(input, from));
  },
  'late commit not drained': (run, machine, input) => {
    const [now, effects] = run(machine, input);
    if (now.work?.step.at !== 'drain') return [now, effects];
    const [after, more] = run(now, { is: 'followed up', seen: input.seen });
    return [after, [...effects.filter(one => one.do !== 'drain held'), ...more]];
  },
  'rows forgotten in a shared transaction': (run, machine, input) =>
    changed(run(machine, input), one =>
      one.do === 'take' && one.what === 'rows' ? [one, { do: 'evict rows' }] : [one],
    ),
  'fold kept upon a failed write': (run, machine, input) => {
    if (input.is !== 'folded') return run(machine, input);
    const isKnown = machine.writes.some(({ outcome }) => typeof outcome === 'object');
    return run(isKnown ? { ...machine, writes: [] } : machine, input);
  },
} as const satisfies Record<string, MachineFault>;

export type Planted = (typeof STORE_FAULTS)[number] | keyof typeof MACHINE_FAULTS;

/** The planted faults of a run. */
export type Faults = ReadonlySet<Planted>;

/** Returns the machine's step with the planted faults. */
export function plantedStep(run: Step, faults: Faults): Step {
  return Object.entries<MachineFault>(MACHINE_FAULTS)
    .filter(([name]) => faults.has(name as Planted))
    .reduce<Step>(
      (inner, [, fault]) =>
        (machine, input) =>
          fault(inner, machine, input),
      run,
    );
}

function changed(
  [machine, effects]: Decided,
  change: (effect: MachineEffect) => MachineEffect[],
): Decided {
  return [machine, effects.flatMap(change)];
}

function withNext(input: Input, next: number): Input {
  if (input.is !== 'checkpoint' || !input.checkpoint) return input;
  return { ...input, checkpoint: { ...input.checkpoint, next } };
}
