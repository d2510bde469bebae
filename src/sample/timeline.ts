// The shared clock of the sample's streams: events happen one after the other, in the evenings.
import type { DomainEvent } from '../../schemas/generated/events.ts';
import {
  type BuildEvent,
  createEventBuilder,
  type DataOf,
  type EventType,
} from '../process/event-builder.ts';
import type { Random } from '../process/random.ts';

export interface Timeline {
  /** Today, `YYYY-MM-DD`. */
  readonly date: string;
  /** Moves on to a later day. */
  startDay(date: string): void;
  emit<T extends EventType>(subject: string, type: T, data: DataOf<T>): DomainEvent;
  /** Returns the events emitted since the last call. */
  drain(): DomainEvent[];
}

const DAY_STARTS_SECONDS = 16 * 3600;
const DAY_ENDS_SECONDS = 24 * 3600;
const GAP_SECONDS_MAX = 600;

export function createTimeline(random: Random): Timeline {
  const builders = new Map<string, BuildEvent>();
  let date = '';
  let seconds = 0;
  let events: DomainEvent[] = [];
  // The gaps shrink towards midnight, so a busy day stays within its date.
  const tick = (): string => {
    const left = DAY_ENDS_SECONDS - seconds;
    seconds += random.between(1, Math.max(1, Math.min(GAP_SECONDS_MAX, Math.floor(left / 40))));
    const time = [seconds / 3600, (seconds / 60) % 60, seconds % 60];
    return `${date}T${time.map(part => String(Math.floor(part)).padStart(2, '0')).join(':')}Z`;
  };
  return {
    get date() {
      return date;
    },
    startDay(day) {
      date = day;
      seconds = DAY_STARTS_SECONDS;
    },
    emit(subject, type, data) {
      const build =
        builders.get(subject) ?? createEventBuilder({ subject, source: '/budgeting/sample' });
      builders.set(subject, build);
      const event = build(type, data, tick());
      events.push(event);
      return event;
    },
    drain() {
      const drained = events;
      events = [];
      return drained;
    },
  };
}
