// What holds in every state of the model of a partition's pipeline.
import { documentsIn, type PipelineState, queueOf, type Scene } from './pipeline-state.ts';

/** Returns what is wrong with a state: an event that is lost or counts twice, a valid one that is parked. */
export function violation(scene: Scene, state: PipelineState): string | null {
  if (state.wrong) return state.wrong;
  for (const stream of scene.streams) {
    const wrong = streamViolation(scene, state, stream);
    if (wrong) return wrong;
  }
  for (let index = 0; index < state.checkpoint.next; index += 1) {
    if (isLost(scene, state, index)) return `Record ${index} is lost`;
  }
  if (state.faults.swap > 0 && state.heads.a?.set !== 'B') return 'The swap of a set was undone';
  return null;
}

function streamViolation(scene: Scene, state: PipelineState, stream: string): string | null {
  const head = state.heads[stream];
  const sequence = head?.sequence ?? 0;
  if (head?.held?.why === 'parked') return `A valid event of ${stream} is parked`;
  const documents = documentsIn(state, stream);
  const [rows, sums] = [documents.rows, documents.sums].map(list => [...list].sort().join());
  const all = Array.from({ length: sequence }, (_, index) => index + 1).join();
  if (rows !== all || sums !== all) {
    return `Stream ${stream} is at ${sequence}, with rows ${rows} and sums ${sums}`;
  }
  const waiting = queueOf(scene, state, stream).length;
  const queued = head?.held?.queued ?? 0;
  return queued === waiting ? null : `Stream ${stream} counts ${queued} queued, and has ${waiting}`;
}

function isLost({ entries }: Scene, state: PipelineState, index: number): boolean {
  const entry = entries[index];
  if (!entry || entry.sequence <= (state.heads[entry.stream]?.sequence ?? 0)) return false;
  return !state.queue.some(other => {
    const queued = entries[other];
    return queued?.stream === entry.stream && queued.sequence === entry.sequence;
  });
}

/** Returns what is wrong with a state that only faults can leave. */
export function quiescent(scene: Scene, state: PipelineState): string | null {
  if (state.checkpoint.next < scene.entries.length) return 'The log is not read to its end';
  for (const stream of scene.streams) {
    const [first] = queueOf(scene, state, stream);
    const turn = first === undefined ? undefined : scene.entries[first]?.sequence;
    if (turn !== undefined && turn <= (state.heads[stream]?.sequence ?? 0) + 1) {
      return `Stream ${stream} is held, though its queue may go on`;
    }
  }
  return null;
}
