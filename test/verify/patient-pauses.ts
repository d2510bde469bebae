// How long a verification of a live system waits in tests.
/** On a busy machine a commit may take longer than an operator's verification waits. */
export const PATIENT_PAUSES_MS = [100, 500, 2000, 10_000, 60_000];
