// What tests of the configuration share: the refusal of an environment, and PEM texts.
import test from 'ava';
import { loadConfig } from '../../src/process/config.ts';
import { UserError } from '../../src/process/errors.ts';

export const refused = test.macro({
  exec(t, env: NodeJS.ProcessEnv, message: string) {
    const error = t.throws(() => loadConfig(env), { instanceOf: UserError });
    t.is(error.message, message);
    t.is(error.exitCode, 2);
  },
  title: (_, env) => `refused: ${JSON.stringify(env)}`,
});

/** Of these tests alone: nothing trusts them. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBdjCCARugAwIBAgIUXF7q+ShfipTSWN9x5fZB1jVkqZQwCgYIKoZIzj0EAwIw
DzENMAsGA1UEAwwEdGVzdDAgFw0yNjExMjgxNDIzMTlaGA8yMTI2MTEwNDE0MjMx
OVowDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIR9
FEBdoOPmXwpjXQ4CDTY5kKANZhYed4TMA2JnfyxNisobqaj8T/gbEUyDEOixITYs
JiZBZN/CypRJr4xQKxejUzBRMB0GA1UdDgQWBBQF9iR8B7gYpfBnPMRtvaRwYdqI
GjAfBgNVHSMEGDAWgBQF9iR8B7gYpfBnPMRtvaRwYdqIGjAPBgNVHRMBAf8EBTAD
AQH/MAoGCCqGSM49BAMCA0kAMEYCIQDt0uUUCYHTXD/h7M9LrUajUOfXowUf0MtT
9qaqyxAG/QIhAIrufC4vh2aKHbQlG0hyeC2rWY+PhiKV8QvyoHwM0Ahm
-----END CERTIFICATE-----`;
export const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgEGgIQArpzJFpSlGe
O1GFxjN+oNJKznt/nngmcQ8CBPWhRANCAASEfRRAXaDj5l8KY10OAg02OZCgDWYW
HneEzANiZ38sTYrKG6mo/E/4GxFMgxDosSE2LCYmQWTfwsqUSa+MUCsX
-----END PRIVATE KEY-----`;
