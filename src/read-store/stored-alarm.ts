// The parking alarm as it is stored: one document in a generation.

export interface StoredAlarm {
  _id: 'parking';
  /** Streams parked within the window, by the start of a span of time: their number stays bounded. */
  buckets: { at: Date; parked: number }[];
  /** Until then nothing counts: an operator has accepted what is being parked. */
  disarmedUntil: Date | null;
  /** Numbers the pauses. A checkpoint that carries the number of an ended pause is not paused. */
  pauses: number;
  paused: Pause | null;
}

export interface Pause {
  readonly since: Date;
  readonly reason: string;
  /** Some of the streams that were not parked, and why they would have been. */
  readonly examples: readonly ParkedExample[];
}

export interface ParkedExample {
  readonly stream: string;
  readonly reason: string;
}
