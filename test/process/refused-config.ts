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

const pem = (of: string) => `-----BEGIN ${of}-----\nMIIB+/==\n-----END ${of}-----`;
export const CERTIFICATE = pem('CERTIFICATE');
export const KEY = pem('EC PRIVATE KEY');
