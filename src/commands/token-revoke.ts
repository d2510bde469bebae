// `token revoke`: ends an API token.
import { isTokenValue } from '../access/token-value.ts';
import { UserError } from '../process/errors.ts';
import { access } from './opening/openings.ts';
import type { AccessContext } from './opening/store.ts';
import { command } from './syntax/command.ts';

export const tokenRevokeCommand = command({
  name: 'token revoke',
  usage: 'ID',
  summary: 'ends a token, from the next request on',
  operands: { ID: 'Id of the token, as token list shows it' },
  examples: ['token revoke 01931f5c-8c1e-7f3a-9b8e-3f6d2a1c4e50'],
  audit: { operand: true },
  async run(
    { operands: [id = ''] },
    { tokens, now, print }: Pick<AccessContext, 'tokens' | 'now' | 'print'>,
  ) {
    if (await tokens.revoke(id, now())) return print(`Revoked token ${id}`);
    // A token value typed by mistake is a secret, so the message does not repeat it.
    const got = isTokenValue(id) ? 'the value of a token' : id;
    throw new UserError(`Expected the id of a token as token list shows it, got ${got}`);
  },
  opens: access,
});
