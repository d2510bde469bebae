// The answers of the whole system equal those of an independent model of the specification, on valid histories.
import test from 'ava';
import { useMongo } from '../helpers/mongo.ts';
import { answersOfModel } from './answers-of-model.ts';

const mongo = useMongo(test);

test('a valid history gives the answers of the model', async t => {
  await answersOfModel(t, mongo, { seed: 101, events: 1500, step: 500 });
});

test('a valid history with awkward names gives the answers of the model', async t => {
  await answersOfModel(t, mongo, { seed: 102, wildNames: true, events: 1500, step: 500 });
});
