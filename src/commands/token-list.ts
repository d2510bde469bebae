// `token list`: lists API tokens, without their values.
import { describeToken, tokenState } from '../access/token.ts';
import { wrongUser } from '../access/token-request.ts';
import { access } from './opening/openings.ts';
import type { AccessContext } from './opening/store.ts';
import { command, JSON_OUTPUT, USER } from './syntax/command.ts';

export const tokenListCommand = command({
  name: 'token list',
  usage: '[--user U] [--json]',
  summary: 'lists tokens with their last four characters, scopes, budgets and state',
  options: { user: { ...USER, about: 'Only tokens of this user' }, json: JSON_OUTPUT },
  refuse: ({ user }) => wrongUser(user),
  examples: ['token list --user anna'],
  async run({ values }, { tokens, now, print }: Pick<AccessContext, 'tokens' | 'now' | 'print'>) {
    const found = await tokens.list(values.user);
    const at = now();
    if (values.json) {
      const listed = found.map(token => ({ ...token, state: tokenState(token, at) }));
      return print(JSON.stringify({ tokens: listed }));
    }
    if (found.length === 0) return print('No tokens');
    for (const [index, token] of found.entries()) {
      if (index > 0) print('');
      print(`…${token.last4}  ${tokenState(token, at)}`);
      for (const line of describeToken(token)) print(line);
    }
  },
  opens: access,
});
