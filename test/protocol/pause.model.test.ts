// The parking alarm: a pause stops every partition, and no partition stands still after a resume.
import test from 'ava';
import { explore } from './explore.ts';
import { type PauseLimits, type PauseSafeguard, pauseModel } from './pause.ts';

const SCENES: readonly PauseLimits[] = [
  { alarms: 2, resumes: 1, kills: 1 },
  { alarms: 2, resumes: 2, kills: 0 },
];

for (const limits of SCENES) {
  test(`a pause stops all partitions, a resume sets them going: ${JSON.stringify(limits)}`, t => {
    const { violation, quiescent } = explore(pauseModel(limits));
    t.is(violation, null);
    t.true(quiescent > 0);
  });
}

const UNGUARDED: readonly (readonly [PauseSafeguard, RegExp])[] = [
  ['numbered marks', /^Partition . goes on in a pause that had stopped it$/],
  ['pause once', /^An error of before a resume pauses again$/],
  ['free', /^Not paused, but a partition stands still$/],
];

for (const [without, what] of UNGUARDED) {
  test(`without "${without}" the model finds a violation`, t => {
    const { violation } = explore(pauseModel({ alarms: 2, resumes: 1, kills: 1 }, without));
    t.regex(violation?.what ?? '', what);
  });
}
