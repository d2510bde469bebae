// `status`: prints generations, lag and held streams, as a table or as JSON.
import type { EventLog } from '../event-log/event-log.ts';
import { UserError } from '../process/errors.ts';
import type { SystemStatus } from '../projector/operate/system-status.ts';
import { store } from './opening/openings.ts';
import { command, JSON_OUTPUT } from './syntax/command.ts';
import { printFor } from './terminal/print.ts';

interface StatusContext {
  readonly status: () => Promise<SystemStatus>;
  /** The status from the database alone; used when the log cannot be opened or read. */
  readonly stored?: () => Promise<SystemStatus>;
  readonly print: (line: string) => void;
}

export const statusCommand = command({
  name: 'status',
  usage: '[--json]',
  summary: 'shows the generations, how far they are, their lag and their held streams',
  options: { json: JSON_OUTPUT },
  examples: ['status'],
  /** @throws UserError that names the problem of the log, after everything that the database knows is printed */
  async run({ values }, { status: read, stored, print }: StatusContext) {
    const { describeStatus } = await import('./operating/describe-status.ts');
    try {
      const found = await read();
      if (values.json) return print(JSON.stringify(found));
      for (const line of describeStatus(found, true)) print(line);
    } catch (error) {
      if (!(error instanceof UserError) || !stored) throw error;
      const found = await stored();
      if (values.json) print(JSON.stringify({ ...withoutLog(found), log: error.message }));
      else for (const line of describeStatus(found, false)) print(line);
      throw error;
    }
  },
  opens: (environment, run) =>
    store(environment, async ({ connection: { readModel }, openLog, now }) => {
      const { systemStatus } = await import('../projector/operate/system-status.ts');
      const { withDamage } = await import('../projector/operate/damage.ts');
      const of = (eventLog: EventLog | null) => systemStatus(readModel, eventLog, now());
      const read = async () => {
        const eventLog = await openLog();
        const found = of(eventLog).then(one => withDamage(readModel, eventLog, one));
        return found.finally(eventLog.close);
      };
      const print = printFor(environment.values);
      await run({ status: read, stored: () => of(null), print });
    }),
});

/** Leaves out totals and lags: they need the end of the log. */
function withoutLog(status: SystemStatus) {
  const generations = status.generations.map(({ total: _, partitions, ...generation }) => ({
    ...generation,
    partitions: partitions.map(({ end: _end, lagEvents: _events, lagSeconds: _s, ...one }) => one),
  }));
  return { ...status, generations };
}
