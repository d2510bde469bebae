// A server that the tests need, started once for the whole run.

export interface Resource {
  /** What the tests find in their environment. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}
