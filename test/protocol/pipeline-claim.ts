// How a projector of the model claims the partition, and drains the queues of held streams.
import {
  bumped,
  documentsIn,
  mayFail,
  type PipelineState,
  type Projector,
  queueOf,
  type Scene,
} from './pipeline-state.ts';
import type { Act } from './pipeline-writes.ts';

/** A process claims the partition; the one that owns it may still run. */
export function claimSteps(scene: Scene, [state, own]: [PipelineState, Projector], go: Act): void {
  const isOwned = state.projectors.some(
    other => other !== own && !['down', 'claiming'].includes(other.at) && owns(state, other),
  );
  if (isOwned && !mayFail(scene, state, 'takeover')) return;
  go(isOwned ? '! takes over' : 'begins to claim', (next, mine) => {
    if (isOwned) next.faults.takeover += 1;
    endFormer(next, mine);
    mine.at = 'claiming';
  });
}

function owns({ checkpoint }: PipelineState, own: Projector): boolean {
  return checkpoint.epoch === own.claim.epoch;
}

/** Ends the session of the former owner, and with it what that has not committed. */
export function endFormer(state: PipelineState, { session }: Projector): void {
  const { owner } = state.checkpoint;
  if (owner !== null && owner !== session) delete state.transactions[owner];
}

export function claim({ streams }: Scene, state: PipelineState, own: Projector): void {
  const { checkpoint } = state;
  checkpoint.epoch += 1;
  checkpoint.owner = own.session;
  own.claim = { epoch: checkpoint.epoch, next: checkpoint.next };
  own.drains = streams.filter(stream => state.heads[stream]?.held);
  own.at = 'draining';
}

// What is loaded is the same when it commits, or the check of the head fails: so a drain is one step.
export function drainOne(scene: Scene, state: PipelineState, own: Projector): void {
  const stream = own.drains.shift();
  const head = stream === undefined ? undefined : state.heads[stream];
  if (stream === undefined || !head?.held) return;
  const documents = documentsIn(state, stream);
  const queue = queueOf(scene, state, stream);
  let { sequence } = head;
  let done = 0;
  for (const index of queue) {
    const turn = scene.entries[index]?.sequence ?? 0;
    if (turn > sequence + 1) break;
    if (turn === sequence + 1) {
      documents.rows.push(turn);
      documents.sums.push(turn);
      sequence = turn;
    }
    done += 1;
    state.queue = state.queue.filter(other => other !== index);
  }
  if (done === 0) return;
  const queued = queue.length - done;
  state.heads[stream] = { ...head, sequence, held: queued > 0 ? { ...head.held, queued } : null };
  bumped(state, stream);
  delete state.transactions[own.session];
}
