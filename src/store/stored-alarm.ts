// The parking alarm as it is stored: one document in a generation.

export interface StoredAlarm {
  _id: 'parking';
  /** Streams parked within the window, by the start of a time span: few buckets, however many streams. */
  buckets: { at: Date; parked: number }[];
  /** Until then parked streams do not count: an operator has accepted them. */
  disarmedUntil: Date | null;
  /** Number of the last pause. A checkpoint that carries the number of an ended pause is not paused. */
  pauses: number;
  paused: Pause | null;
}

export interface Pause {
  readonly since: Date;
  readonly reason: string;
  /** Some of the streams that would have been parked, with the reasons. */
  readonly examples: readonly ParkedExample[];
}

export interface ParkedExample {
  readonly stream: string;
  readonly reason: string;
}
