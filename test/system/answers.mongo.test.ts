// The answers of the whole system equal those of an independent model of the specification, on a short random history. Longer ones take long.
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { answersOfModel } from './answers-of-model.ts';

const mongo = useMongo(test);

test('a short history of everything gives the answers of the model', async t => {
  await answersOfModel(t, mongo, {
    seed: 107,
    invalidShare: 0.01,
    disorderShare: 0.02,
    duplicateShare: 0.02,
    wildNames: true,
    events: 240,
    step: 240,
  });
});
