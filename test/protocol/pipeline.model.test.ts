// A partition's pipeline: every event counts once, whatever becomes of a commit and of the process.
import test from 'ava';
import { explore } from './explore.ts';
import { pipelineModel } from './pipeline.ts';
import type { PipelineOptions, Safeguard } from './pipeline-state.ts';

const SCENES = {
  'a commit comes late': { log: 'a1 a2 a3', faults: { late: 1 } },
  'a commit comes late, before a search': { log: 'a1 a2 a3c', faults: { late: 1 } },
  'a commit comes late, and another write fails': {
    log: 'a1 b1 a2',
    faults: { late: 1, fail: 1 },
  },
  'a commit comes late, with a gap that closes': {
    log: 'a1 a3 a2',
    chunkMax: 3,
    partsMax: 1,
    faults: { late: 1 },
  },
  'a commit comes late, and another process claims': {
    log: 'a1 a2',
    chunkMax: 1,
    partsMax: 1,
    projectors: 2,
    faults: { late: 1, takeover: 1 },
    loadsAtOnce: true,
  },
  'a gap closes, over a crash': {
    log: 'a1 a3 a2 b1',
    faults: { crash: 1, unknown: 1, fail: 1 },
    loadsAtOnce: true,
  },
  'a rebuild swaps a set': {
    log: 'a1 a2 b1',
    faults: { swap: 1, fail: 1, unknown: 1 },
    loadsAtOnce: true,
  },
  'a search follows shared transactions': {
    log: 'a1 b1 a2 a3c',
    faults: { fail: 1, unknown: 1 },
    loadsAtOnce: true,
  },
  'a former owner goes on': {
    log: 'a1 a2',
    chunkMax: 1,
    partsMax: 2,
    projectors: 2,
    faults: { takeover: 1 },
    loadsAtOnce: true,
  },
} as const satisfies Record<string, PipelineOptions>;

for (const [title, scene] of Object.entries<PipelineOptions>(SCENES)) {
  test(`each event counts once: ${title}`, t => {
    const { violation, quiescent } = explore(pipelineModel(scene));
    t.is(violation, null);
    t.true(quiescent > 0);
  });
}

const UNGUARDED: readonly (readonly [Safeguard, keyof typeof SCENES, RegExp])[] = [
  ['forget', 'a commit comes late', /^Stream a is at 2, with rows 1,2 and sums 1,1,2$/],
  ['forget', 'a commit comes late, before a search', /^A search of a3 found 1 rows$/],
  ['fold again', 'a commit comes late, before a search', /^A search of a3 found 1 rows$/],
  [
    'drain what comes late',
    'a commit comes late, with a gap that closes',
    /^Stream a is held, though its queue may go on$/,
  ],
  ['compare heads', 'a rebuild swaps a set', /^The swap of a set was undone$/],
  ['fence', 'a former owner goes on', /^The log is not read to its end$/],
];

for (const [without, title, what] of UNGUARDED) {
  test(`without "${without}" the model finds a violation: ${title}`, t => {
    const { violation } = explore(pipelineModel({ ...SCENES[title], without }));
    t.regex(violation?.what ?? '', what, violation?.trace.join('; '));
  });
}
