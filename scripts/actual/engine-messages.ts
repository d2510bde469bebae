// The messages between this process and that of Actual's engine.

export interface Request {
  readonly id: number;
  /** A function of `@actual-app/api`, or one that engine-process.ts adds. */
  readonly name: string;
  readonly args: readonly unknown[];
}

export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: string };
