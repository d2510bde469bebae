// A server or program that the tests need, prepared once for the whole run.

export interface Resource {
  /** Environment variables for the tests. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}
