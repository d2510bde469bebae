// The body of an answer, and where the next page begins if it is a page of a list.

export type Body = string | Buffer;

/** The parameter that leads from a page to the next one, with its value there. */
export interface NextPage {
  readonly name: 'offset' | 'cursor';
  readonly value: string;
}

export interface ListPage {
  readonly body: Body;
  /** Null if no page follows. */
  readonly next: NextPage | null;
}

/** Returns an answer without pages as the only page of its list. */
export function asPage(read: Body | ListPage): ListPage {
  return typeof read === 'string' || Buffer.isBuffer(read) ? { body: read, next: null } : read;
}
