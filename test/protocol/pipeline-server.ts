// What happens in the model of a pipeline without its projectors.
import { copy, type Step } from './explore.ts';
import {
  bumped,
  isLocked,
  land,
  mayFail,
  type PipelineState,
  type Scene,
} from './pipeline-state.ts';

/** Late commits, sessions of dead processes, another writer of a head. */
export function serverSteps(scene: Scene, state: PipelineState): Step<PipelineState>[] {
  const steps: Step<PipelineState>[] = [];
  const go = (label: string, act: (next: PipelineState) => void) => {
    const next = copy(state);
    act(next);
    steps.push([label, next]);
  };
  for (const [id, { state: how }] of Object.entries(state.transactions)) {
    const session = Number(id);
    const isAlive = state.projectors.some(own => own.session === session);
    if (how === 'late') go(`the late commit of ${id} lands`, next => land(next, session));
    if (how === 'late' || !isAlive)
      go(`the server ends session ${id}`, next => void delete next.transactions[id]);
  }
  const head = state.heads.a;
  if (mayFail(scene, state, 'swap') && head && !head.held && !isLocked(state, -1, 'a')) {
    go('!a rebuild swaps the set of a', next => {
      next.faults.swap += 1;
      if (next.heads.a) next.heads.a.set = 'B';
      bumped(next, 'a');
    });
  }
  return steps;
}
