// `rebuild`: builds a generation from scratch beside the active one, rebuilds one budget, or gives up a build.
import type { EventLog } from '../event-log/event-log.ts';
import { stopSignal } from '../process/stopping.ts';
import { eventLog, store } from './opening/openings.ts';
import type { StoreContext } from './opening/store.ts';
import { command } from './syntax/command.ts';

interface RebuildContext
  extends Pick<StoreContext, 'connection' | 'version' | 'now' | 'print' | 'isTerminal'> {
  /** Null with --abandon, which opens no event log, because a broken log may be the reason to give up. */
  readonly log: { readonly eventLog: EventLog; readonly signal: AbortSignal } | null;
}

export const rebuildCommand = command({
  name: 'rebuild',
  usage: '[--budget B|--abandon]',
  summary: "builds a generation from the log's start beside the active one, and switches to it",
  options: {
    budget: { value: 'B', about: 'Rebuilds this budget alone, in the active generation' },
    abandon: { about: 'Gives up the build that is under way' },
  },
  refuse: ({ budget, abandon }) =>
    budget !== undefined && abandon ? 'Expected --budget or --abandon, got both' : null,
  examples: ['rebuild', 'rebuild --budget household', 'rebuild --abandon'],
  audit: { ids: ['budget'], flags: ['abandon'] },
  async run({ values: { budget } }, { log, ...context }: RebuildContext) {
    if (log === null) await abandon(context);
    else if (budget === undefined) await build({ ...context, ...log });
    else await rebuildBudget(budget, { ...context, ...log });
  },
  opens: (environment, run) =>
    environment.values.abandon
      ? store(environment, context => run({ ...context, log: null }))
      : eventLog(environment, ({ eventLog, ...context }) => {
          const { signal } = stopSignal(() => {});
          return run({ ...context, log: { eventLog, signal } });
        }),
});

type LogContext = Omit<RebuildContext, 'log'> & NonNullable<RebuildContext['log']>;

/** Stopping the command stops only the display: the projectors go on building. */
async function build(context: LogContext): Promise<void> {
  const { followBuild, requestGeneration } = await import('./operating/follow-build.ts');
  const { connection, version, print } = context;
  const shown = { ...context, readModel: connection.readModel };
  const { id } = await requestGeneration(shown, version);
  print(`Building generation ${id} beside the one that answers; the projectors do it`);
  await followBuild(id, shown);
}

async function rebuildBudget(budget: string, context: LogContext): Promise<void> {
  const { CHANGED_ROWS_MAX } = await import('../projector/projector.ts');
  const { rebuildStream } = await import('../projector/shadow/rebuild-stream.ts');
  const { ownGeneration } = await import('./opening/generation.ts');
  const { operatorStore } = await import('./opening/system.ts');
  const { connection, eventLog, now, print, signal } = context;
  const { id } = await ownGeneration(connection);
  const onHold = () => print(`Rebuilding budget ${budget}; its stream is held meanwhile`);
  const limits = { rowsMax: CHANGED_ROWS_MAX };
  const options = { eventLog, limits, now: now(), signal, onHold };
  const head = await rebuildStream(operatorStore(connection, id), budget, options);
  print(`Budget ${budget} is rebuilt, at sequence ${head?.sequence ?? 0}`);
}

async function abandon({ connection, print }: Omit<RebuildContext, 'log'>): Promise<void> {
  const { abandonBuild } = await import('../generations/operate.ts');
  const { build, registry } = await abandonBuild(connection.readModel);
  const { id, version } = build;
  const answers =
    registry.active === null ? 'no generation answers yet' : `${registry.active} goes on answering`;
  print(`Generation ${id} (version ${version}) is given up; ${answers}`);
  if (registry.rejectedVersions.includes(version)) {
    const { describeRejected } = await import('./opening/generation.ts');
    print(describeRejected(version));
  } else {
    print('Another one is built only when asked for: budgeting rebuild');
  }
}
