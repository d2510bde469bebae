// What a query asks for that is to be answered in one reply.
/**
 * For a query whose documents are all needed at once: the first reply holds as many as fit into its 16 MB. By default it
 * holds 101, and the others take a second round trip.
 */
export const ONE_REPLY = { batchSize: 1_000_000 } as const;
