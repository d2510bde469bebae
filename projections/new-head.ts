// The head of a stream of which nothing is applied.
import type { Head } from './documents.ts';

export function newHead(id: string, partition: number): Head {
  return {
    id,
    partition,
    sequence: 0,
    eventId: null,
    set: null,
    held: null,
    budget: null,
    space: null,
    deleted: false,
  };
}
