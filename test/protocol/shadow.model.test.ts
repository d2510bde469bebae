// The protocol of shadow sets: searched breadth first, and again with each mended hole opened.
import { type Hole, searchAll } from './search-all.ts';
import { shadowModel } from './shadow.ts';
import type { ShadowContext, Unmended } from './shadow-state.ts';

const SCENES = {
  'a big change': { log: ['big2', 'named3'], projectors: 2, max: { takeover: 1, crash: 1 } },
  'two big changes': { log: ['big2', 'big3'], projectors: 2, max: { takeover: 1 } },
  'a deletion': { log: ['big2', 'named3', 'deleted4'], projectors: 2, max: { takeover: 1 } },
  'a record without a sequence': { log: ['big2', 'junk0', 'named3'], max: { crash: 1 } },
  'a rebuild': { log: ['named2', 'named3'], rebuilds: 1, projectors: 2, max: { takeover: 1 } },
  'a killed rebuild': { log: ['named2', 'named3'], rebuilds: 1, max: { kill: 1, crash: 1 } },
  'a hold without an answer': {
    log: ['named2', 'deleted3'],
    ...{ rebuilds: 1, max: { unknown: 1, kill: 1 } },
  },
  'a frozen rebuild': { log: ['named2', 'big3'], rebuilds: 1, max: { frozen: 1 } },
  'two rebuilds and a deletion': { log: ['named2', 'deleted3'], rebuilds: 2, max: { kill: 1 } },
  'a retry': {
    log: ['bad2', 'big3'],
    ...{ hasOperator: true, projectors: 2, max: { takeover: 1 } },
  },
  'a number that is given up': {
    log: ['big3', 'named2'],
    ...{ hasOperator: true, max: { crash: 1 } },
  },
} as const satisfies Readonly<Record<string, ShadowContext>>;

const HOLES: readonly Hole<keyof typeof SCENES, Unmended>[] = [
  {
    scene: 'a number that is given up',
    without: ['given-up'],
    what: /the set is as of 3, the head of 1/,
  },
  {
    scene: 'a big change',
    without: ['owned-removal'],
    what: /the head names a set without documents/,
  },
  { scene: 'a big change', without: ['adoption'], what: /held for work that nobody does/ },
  { scene: 'a killed rebuild', without: ['lease'], what: /held for work that nobody does/ },
  { scene: 'a killed rebuild', without: ['drain-duty'], what: /held for work that nobody does/ },
  {
    scene: 'a hold without an answer',
    without: ['same-owner'],
    what: /a rebuild stands in its own way/,
  },
  {
    scene: 'a record without a sequence',
    without: ['next-entry'],
    what: /the set is as of 2, the head of 1/,
  },
];

searchAll(shadowModel, SCENES, HOLES);
