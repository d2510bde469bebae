// Opens the generations in which operators act on held streams.
import type { ProjectorStore } from '../../projector/store.ts';
import { fedOf } from '../../store/generation-plan.ts';
import { readRegistry } from '../../store/registry.ts';
import type { Opening } from '../syntax/command.ts';
import { printFor } from '../terminal/print.ts';
import { noReadModel } from './generation.ts';
import { type StoreContext, withStore } from './store.ts';
import { operatorStore } from './system.ts';

export interface ParkedGeneration {
  readonly id: string;
  readonly version: number;
  /** Whether it is the active one. */
  readonly answers: boolean;
  readonly store: ProjectorStore;
}

export interface ParkedContext extends Pick<StoreContext, 'version' | 'now' | 'print'> {
  /** All that projectors feed, the active one first; those of another version are listed, never changed. */
  readonly generations: readonly ParkedGeneration[];
}

export const withParkedGenerations: Opening<ParkedContext> = (environment, run) =>
  withStore(environment, async context => {
    const { active, generations } = await readRegistry(context.connection.readModel);
    const fed = fedOf(generations).map(({ id, version }) => {
      const store = operatorStore(context.connection, id);
      return { id, version, answers: id === active, store };
    });
    if (fed.length === 0) throw noReadModel();
    fed.sort((a, b) => Number(b.answers) - Number(a.answers));
    await run({ ...context, generations: fed, print: printFor(environment.values) });
  });
