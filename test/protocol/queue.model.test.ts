// The protocol of a queue: searched breadth first, and again with each mended hole opened.

import { queueModel } from './queue.ts';
import { logOf } from './queue-log.ts';
import type { QueueContext, Unmended } from './queue-state.ts';
import { type Hole, searchAll } from './search-all.ts';

const skip = { name: 'skip' } as const;
const retry = { name: 'retry' } as const;
const missing = { name: 'skip', missing: true } as const;

const SCENES = {
  gap: {
    log: logOf('space1 named3 named2 named2 named4'),
    ...{ projectors: 2, max: { crash: 1, takeover: 1, unknown: 1 } },
  },
  'a stray before the beginning': {
    log: logOf('named2 noise0 space1'),
    ...{ projectors: 2, operators: [skip], max: { crash: 1 } },
  },
  'two skips': {
    log: logOf('space1 bad2 bad3'),
    ...{ chunkMax: 3, operators: [skip, skip] },
  },
  'two named skips': {
    log: logOf('space1 bad2 bad3'),
    chunkMax: 3,
    operators: [
      { ...skip, named: true },
      { ...skip, named: true },
    ],
  },
  'skip and retry': {
    log: logOf('space1 bad2 named3'),
    ...{ chunkMax: 3, operators: [skip, retry], max: { unknown: 1 } },
  },
  'a missing number': {
    log: logOf('space1 named3 named2 named5'),
    ...{ operators: [missing], max: { unknown: 1, crash: 1 } },
  },
  'a killed skip, run again': {
    log: logOf('space1 bad2 named3 named4 named5'),
    ...{ operators: [{ ...skip, again: true }], max: { kill: 1, crash: 1 } },
  },
  'a killed skip': {
    log: logOf('space1 bad2 named3 named4 named5'),
    ...{ operators: [skip], max: { kill: 1, crash: 1 } },
  },
  'a removed member': {
    log: logOf('space1 bad2 added3 removed4'),
    ...{ operators: [skip], max: { crash: 1 } },
  },
  'a deletion': {
    log: logOf('budget1 wrong2 renamed3 deleted4'),
    ...{ operators: [skip], max: { crash: 1, unknown: 1 } },
  },
  'a deletion behind a gap': {
    log: logOf('budget1 renamed3 deleted4 renamed2 renamed5'),
    ...{ operators: [missing], max: { crash: 1 } },
  },
  'a deletion that was given up': {
    log: logOf('budget1 renamed3 deleted2 renamed4'),
    ...{ operators: [missing] },
  },
  'noise behind a gap that was filled': {
    log: logOf('space1 named3 named2 noise0 named4'),
    ...{ chunkMax: 3, reaches: 3, max: { crash: 1 } },
  },
  'noise before a gap is filled': {
    log: logOf('space1 named3 noise0 named2 named4'),
    ...{ chunkMax: 3, reaches: 1, max: { crash: 1 } },
  },
  'noise that is skipped': {
    log: logOf('space1 named3 noise0 named2 named4'),
    ...{ chunkMax: 3, reaches: 4, operators: [skip] },
  },
  'another event with a sequence, behind the next one': {
    log: logOf('space1 bad2 named3 named4 other3'),
    ...{ chunkMax: 3, reaches: 4, operators: [skip] },
  },
  'another event with a sequence, before the next one': {
    log: logOf('space1 bad2 named3 other3 named4'),
    ...{ chunkMax: 3, reaches: 3, operators: [skip] },
  },
} as const satisfies Readonly<Record<string, QueueContext>>;

const HOLES: readonly Hole<keyof typeof SCENES, Unmended>[] = [
  { scene: 'two skips', without: ['same-target'], what: /skipped 3\/e3, which it was not/ },
  { scene: 'two named skips', without: ['named-event'], what: /skipped 3\/e3, which it was not/ },
  {
    scene: 'a killed skip',
    without: ['decided-hold'],
    what: /held as parked, though its queue may/,
  },
  {
    scene: 'a deletion that was given up',
    without: ['heads-first'],
    what: /a deletion counts that was given up/,
  },
  {
    scene: 'noise behind a gap that was filled',
    without: ['arrival'],
    what: /it is at sequence 1, and not at 3/,
  },
  {
    scene: 'another event with a sequence, behind the next one',
    without: ['arrival'],
    what: /it is at sequence 3, and not at 4/,
  },
  { scene: 'a killed skip', without: ['adoption'], what: /held for work that nobody does/ },
  {
    scene: 'a killed skip, run again',
    without: ['decided-hold', 'work-hold', 'holder-by-entry'],
    what: /skipped [34]\/e[34], which it was not called for/,
  },
];

searchAll(queueModel, SCENES, HOLES);
