// A served read model with two users, and what streams take of it.
import type { ExecutionContext } from 'ava';
import { createBounds } from '../../src/http/bounds.ts';
import { eventually } from '../helpers/eventually.ts';
import type { TestMongo } from '../helpers/mongo.ts';
import { budget, space } from '../model/scene.ts';
import { type Served, serve } from './serve.ts';

/** Anna reaches `b1`, Ben `foreign`. */
export async function serveStreams(
  t: ExecutionContext,
  mongo: TestMongo,
  { name, streams = 2000 }: { readonly name: string; readonly streams?: number },
): Promise<Served> {
  const served = await serve(mongo, name, { bounds: createBounds({ streams }) });
  t.teardown(() => served.stop());
  await served.model.project('s1', ...space(['anna']));
  await served.model.project('s2', ...space(['ben']));
  await served.model.project('b1', budget('s1'));
  await served.model.project('foreign', budget('s2'));
  return served;
}

/** Waits until so many places of streams are taken, and none of requests. */
export async function untilTaken(
  t: ExecutionContext,
  served: Served,
  taken: number,
): Promise<void> {
  await eventually(t, async tried => {
    tried.is(served.bounds.streams.taken(), taken);
    tried.is(served.bounds.requests.taken(), 0);
  });
}
