// Shows a status snapshot as gauges. A gauge whose value is unknown at the moment is absent, never stale.
import { Gauge, type Registry } from 'prom-client';
import type { GenerationStatus } from '../../../projector/operate/system-status.ts';
import { hasFailed } from '../../../store/generation-plan.ts';
import type { Verification } from '../../../store/verifications.ts';
import type { OwnPartitions } from '../partitions.ts';
import type { StatusSnapshot } from '../status-monitor.ts';

/** Resets all gauges and sets them from the snapshot, synchronously, so that no scrape sees half of it. */
export type ShowStatus = (snapshot: StatusSnapshot, isReady: boolean) => void;

/** Makes gauges that can be reset together. */
function gauges(registry: Registry) {
  const made: Gauge[] = [];
  return {
    make<Name extends string>(name: string, help: string, labelNames: readonly Name[]) {
      const gauge = new Gauge<string>({
        name,
        help,
        labelNames: [...labelNames],
        registers: [registry],
      });
      made.push(gauge);
      return (labels: Readonly<Record<Name, string | number>>, value: number) =>
        gauge.set(labels, value);
    },
    reset() {
      for (const gauge of made) gauge.reset();
    },
  };
}

/** Registers the gauges of every process. */
export function createStatusMetrics(registry: Registry): ShowStatus {
  const { make, reset } = gauges(registry);
  const ready = make('budgeting_ready', 'Whether /readyz says yes: 1 or 0', []);
  const server = make(
    'budgeting_server_up',
    'Whether a server that this process depends on answers: 1 or 0',
    ['server'],
  );
  const info = make(
    'budgeting_generation_info',
    'The generations of the read model that exist; always 1',
    ['generation', 'version', 'state'],
  );
  const waiting = make(
    'budgeting_generation_waiting',
    'Whether something keeps a generation from being switched to: 1 or 0',
    ['generation'],
  );
  return (snapshot, isReady) => {
    reset();
    ready({}, isReady ? 1 : 0);
    server({ server: 'database' }, snapshot.registry ? 1 : 0);
    if (snapshot.logAnswers !== null) server({ server: 'log' }, snapshot.logAnswers ? 1 : 0);
    for (const generation of snapshot.registry?.generations ?? []) {
      const { id, version, waitsFor } = generation;
      const isUnwanted = generation.state === 'failed' && !hasFailed(generation);
      info({ generation: id, version, state: isUnwanted ? 'abandoned' : generation.state }, 1);
      waiting({ generation: id }, waitsFor === null ? 0 : 1);
    }
  };
}

/** Registers the gauges of a process that runs a projector. */
export function createLagMetrics(
  registry: Registry,
  own: OwnPartitions,
): (snapshot: StatusSnapshot) => void {
  const { make, reset } = gauges(registry);
  const ofPartition = ['generation', 'partition'] as const;
  const lagEvents = make(
    'budgeting_projection_lag_events',
    'Offsets of the log that are not applied',
    ofPartition,
  );
  const lagSeconds = make(
    'budgeting_projection_lag_seconds',
    'Age of the oldest event that is not applied; 0 when all are',
    ofPartition,
  );
  const progress = make(
    'budgeting_generation_progress_ratio',
    'Share of the log that a generation has applied, from 0 to 1',
    ['generation'],
  );
  const held = make(
    'budgeting_held_streams',
    'Streams whose events wait: an invalid event (parked), a missing sequence (gap), a big change (change)',
    ['generation', 'why'],
  );
  const quarantined = make(
    'budgeting_quarantined_records',
    'Records that belong to no stream, kept for a look',
    ['generation'],
  );
  const paused = make(
    'budgeting_projection_paused',
    'Whether a generation is paused, as too many streams would have been parked: 1 or 0',
    ['generation'],
  );
  const partitions = make(
    'budgeting_projector_partitions',
    'Partitions that this process has claimed, or halted as the log lost data',
    ['generation', 'state'],
  );
  const hiddenFrom = make(
    'budgeting_log_hidden_from_offset',
    'The first of the offsets that an unfinished transaction hides: it moves with each transaction that ends',
    ['partition'],
  );
  const hidden = make(
    'budgeting_log_hidden_offsets',
    'Offsets of the log that an unfinished transaction of a producer hides; they do not count as lag',
    ['partition'],
  );
  const showVerifications = createVerificationMetrics(make);

  function showGeneration(generation: GenerationStatus): void {
    const { id, applied, total, heldBy } = generation;
    for (const { partition, ...lag } of generation.partitions) {
      lagEvents({ generation: id, partition }, lag.lagEvents);
      lagSeconds({ generation: id, partition }, lag.lagSeconds);
    }
    progress({ generation: id }, total === 0 ? 1 : applied / total);
    for (const [why, count] of Object.entries(heldBy)) held({ generation: id, why }, count);
    quarantined({ generation: id }, generation.quarantined);
    paused({ generation: id }, generation.paused ? 1 : 0);
  }

  return ({ registry: found, projection }) => {
    reset();
    for (const { id } of found?.generations ?? []) {
      for (const state of ['claimed', 'halted'] as const) {
        partitions({ generation: id, state }, own.count(id, state));
      }
    }
    for (const generation of projection?.status.generations ?? []) showGeneration(generation);
    for (const { partition, from, offsets } of projection?.status.hidden ?? []) {
      hidden({ partition }, offsets);
      hiddenFrom({ partition }, from);
    }
    showVerifications(projection?.verifications ?? []);
  };
}

function createVerificationMetrics(
  make: ReturnType<typeof gauges>['make'],
): (verifications: readonly Verification[]) => void {
  const labels = ['generation', 'scope'] as const;
  const differences = make(
    'budgeting_verification_differences',
    'Differences between the read model and the log that the last verification found',
    labels,
  );
  const damages = make(
    'budgeting_verification_log_damages',
    'What the log has lost, as the last verification found',
    labels,
  );
  const streams = make(
    'budgeting_verification_streams',
    'Streams that the last verification compared with the log',
    labels,
  );
  const timestamp = make(
    'budgeting_verification_timestamp_seconds',
    'When the last verification ended, in Unix seconds',
    labels,
  );
  return verifications => {
    for (const { generation, scope } of verifications) {
      // Of single streams there may be several.
      const own = verifications.filter(one => one.generation === generation && one.scope === scope);
      const sum = (name: 'differences' | 'damages' | 'streams') =>
        own.reduce((total, one) => total + one[name], 0);
      differences({ generation, scope }, sum('differences'));
      damages({ generation, scope }, sum('damages'));
      streams({ generation, scope }, sum('streams'));
      const lastMs = Math.max(...own.map(({ at }) => at.getTime()));
      timestamp({ generation, scope }, lastMs / 1000);
    }
  };
}
