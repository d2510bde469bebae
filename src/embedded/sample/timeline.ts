// Puts the sample's events on one line of time and numbers each stream.
import type { DomainEvent } from '../../../schemas/generated/events.ts';
import type { Random } from './random.ts';

export type EventType = DomainEvent['type'];
export type DataOf<T extends EventType> = Extract<DomainEvent, { type: T }>['data'];

export interface Timeline {
  readonly date: string;
  /** Goes to a later day; a day's events happen from the late afternoon on. */
  startDay(date: string): void;
  emit<T extends EventType>(subject: string, type: T, data: DataOf<T>): void;
  /** What was emitted since it was asked last. */
  drain(): DomainEvent[];
}

const DAY_STARTS_SECONDS = 16 * 3600;
const DAY_ENDS_SECONDS = 24 * 3600;
const GAP_SECONDS_MAX = 600;

export function createTimeline(random: Random): Timeline {
  const sequences = new Map<string, number>();
  let date = '';
  let seconds = 0;
  let events: DomainEvent[] = [];
  // A busy day hurries towards midnight instead of running past it.
  const tick = (): string => {
    const left = DAY_ENDS_SECONDS - seconds;
    seconds += random.between(1, Math.max(1, Math.min(GAP_SECONDS_MAX, Math.floor(left / 40))));
    const time = new Date(seconds * 1000).toISOString().slice(11, 19);
    return `${date}T${time}Z`;
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
      const sequence = (sequences.get(subject) ?? 0) + 1;
      sequences.set(subject, sequence);
      events.push({
        specversion: '1.0',
        id: `${subject}-${sequence}`,
        source: '/budgeting/sample',
        type,
        time: tick(),
        datacontenttype: 'application/json',
        subject,
        sequence,
        schemaversion: 1,
        data,
      } as DomainEvent);
    },
    drain() {
      const drained = events;
      events = [];
      return drained;
    },
  };
}
