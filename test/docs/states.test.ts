// The states of docs/rules/states.md: diagram, list and steps use the words of the code, and so do `status` and the pages.
import { readFileSync } from 'node:fs';
import test from 'ava';
import type { Held } from '../../projections/documents.ts';
import type { tokenState } from '../../src/access/token.ts';
import { statusCommand } from '../../src/commands/status.ts';
import { step } from '../../src/projector/machine/machine.ts';
import { type Phase, phaseOf } from '../../src/projector/machine/machine-state.ts';
import type { WorkStatus } from '../../src/projector/operate/held-status.ts';
import type { SystemStatus } from '../../src/projector/operate/system-status.ts';
import type { GenerationState } from '../../src/store/registry.ts';
import { invoke } from '../commands/invoke.ts';
import { INPUTS, machineOf, SEEN, SITUATIONS } from '../projector/machine-scene.ts';

const page = readFileSync('docs/rules/states.md', 'utf8');

/** The compiler knows when a word of the code is missing here. */
const WHY: Record<Held['why'], true> = { parked: true, gap: true, change: true };
const GENERATION: Record<GenerationState, true> = {
  building: true,
  verifying: true,
  active: true,
  retired: true,
  rejected: true,
  failed: true,
};
const WORK: Record<WorkStatus, true> = {
  projector: true,
  rebuild: true,
  'ended rebuild': true,
  queue: true,
};
const PHASE: Record<Phase, true> = {
  idle: true,
  folding: true,
  sharing: true,
  committing: true,
  halted: true,
  lost: true,
};
const TOKEN: Record<ReturnType<typeof tokenState>, true> = {
  active: true,
  expired: true,
  revoked: true,
};

const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  // A stream is live while it is not held, and deleted for ever after budget.deleted.
  'States of a stream': ['live', ...Object.keys(WHY), 'deleted'],
  'States of a generation': Object.keys(GENERATION),
  'States of a shadow set': Object.keys(WORK),
  'Phases of a claimed partition': Object.keys(PHASE),
  'States of a token': Object.keys(TOKEN),
};

interface Diagram {
  readonly states: ReadonlySet<string>;
  readonly steps: ReadonlySet<string>;
}

function sectionOf(title: string): string {
  const section = page.split(/^(?=##+ )/m).find(part => part.startsWith(`### ${title}\n`));
  if (section === undefined) throw new Error(`Expected a section ${title}, got none`);
  return section;
}

function diagramOf(section: string): Diagram {
  const states = new Set<string>();
  const steps = new Set<string>();
  const word = (text: string) => text.replace('_', ' ');
  for (const [, from = '', to = ''] of section.matchAll(/^ {2}(\S+) --> (\S+)$/gm)) {
    for (const state of [from, to]) if (state !== '[*]') states.add(word(state));
    if (from !== '[*]' && to !== '[*]') steps.add(`${word(from)} → ${word(to)}`);
  }
  return { states, steps };
}

for (const [title, words] of Object.entries(SECTIONS)) {
  test(`${title}: diagram and list have the words of the code`, t => {
    const section = sectionOf(title);
    const { states } = diagramOf(section);
    t.deepEqual([...states].sort(), words.toSorted());
    const listed = [...section.matchAll(/^- \*\*([\w ]+)\*\*: /gm)].map(([, word = '']) => word);
    t.deepEqual(listed.sort(), words.toSorted());
  });

  test(`${title}: every step of the diagram is explained, and no other`, t => {
    const section = sectionOf(title);
    const explained = [...section.matchAll(/\*\*([\w ]+ → [\w ]+)\*\*/g)].map(([, step]) => step);
    t.deepEqual(explained.sort(), [...diagramOf(section).steps].sort());
  });
}

test('the steps of a partition are those that its machine takes', t => {
  const taken = new Set<string>();
  for (const situation of Object.values(SITUATIONS)) {
    const before = machineOf(situation);
    for (const event of Object.values(INPUTS)) {
      const after = afterStep(before, event);
      if (after !== phaseOf(before)) taken.add(`${phaseOf(before)} → ${after}`);
    }
  }
  const { steps } = diagramOf(sectionOf('Phases of a claimed partition'));
  t.deepEqual([...steps].sort(), [...taken].sort());
});

/** Returns the phase after an input; an input that nobody waits for changes none. */
function afterStep(
  before: ReturnType<typeof machineOf>,
  event: (typeof INPUTS)[keyof typeof INPUTS],
): Phase {
  try {
    const [after] = step(before, { ...event, seen: SEEN });
    return phaseOf(after);
  } catch {
    return phaseOf(before);
  }
}

test('status prints the states of generations and held streams in these words', async t => {
  const held = (why: string) => ({
    stream: why,
    sequence: 1,
    since: '',
    why,
    reason: '',
    work: null,
  });
  const heldStreams = Object.keys(WHY).map(why => ({ ...held(why), event: null }));
  const faults = { held: 3, heldStreams, quarantined: 0, quarantinedRecords: [], nearTypes: [] };
  const generations = Object.keys(GENERATION).map((state, index) => ({
    ...{ id: `g${index}`, version: 1, state, applied: 0, total: 0, partitions: [], reason: null },
    ...faults,
  }));
  const status = { active: null, generations, rejectedVersions: [], settingsProblem: null };
  const printed: string[] = [];
  await invoke(statusCommand, [], {
    status: async () => ({ ...status, hidden: [] }) as unknown as SystemStatus,
    print: line => printed.push(line),
  });
  for (const state of Object.keys(GENERATION)) {
    t.is(printed.filter(line => new RegExp(`^g\\d +1 +${state} `).test(line)).length, 1, state);
  }
  for (const why of Object.keys(WHY)) {
    t.is(
      printed.filter(line => line.includes(`${why} is held after`) && line.includes(`(${why})`))
        .length,
      6,
    );
  }
});
