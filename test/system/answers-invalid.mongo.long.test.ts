// The answers of the whole system equal those of an independent model of the specification, on histories with invalid events.
import test from 'ava';
import { useMongo } from '../helpers/mongo.ts';
import { answersOfModel } from './answers-of-model.ts';

const mongo = useMongo(test);

test('invalid events: parked streams gives the answers of the model', async t => {
  await answersOfModel(t, mongo, {
    seed: 105,
    invalidShare: 0.005,
    wildNames: true,
    events: 1500,
    step: 500,
  });
});

test('everything at once gives the answers of the model', async t => {
  await answersOfModel(t, mongo, {
    seed: 106,
    invalidShare: 0.004,
    disorderShare: 0.02,
    wildNames: true,
    events: 1500,
    step: 500,
  });
});
