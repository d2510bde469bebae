// The answers of the whole system equal those of an independent model of the specification, on histories in disorder.
import test from 'ava';
import { useMongo } from '../helpers/mongo.ts';
import { answersOfModel } from './answers-of-model.ts';

const mongo = useMongo(test);

test('events that come twice gives the answers of the model', async t => {
  await answersOfModel(t, mongo, { seed: 103, duplicateShare: 0.1, events: 1500, step: 500 });
});

test('events in disorder: gaps that heal gives the answers of the model', async t => {
  await answersOfModel(t, mongo, {
    seed: 104,
    disorderShare: 0.05,
    duplicateShare: 0.05,
    events: 1500,
    step: 500,
  });
});
