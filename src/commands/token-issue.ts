// `token issue`: makes an API token from the shell.
import { describeToken } from '../access/token.ts';
import {
  checkTokenRequest,
  LIFETIME_DAYS_MAX,
  refusalOf,
  type TokenRequest,
} from '../access/token-request.ts';
import { UserError } from '../process/errors.ts';
import { access } from './opening/openings.ts';
import type { AccessContext } from './opening/store.ts';
import { command, type GivenValues, JSON_OUTPUT, USER } from './syntax/command.ts';

type IssueContext = Pick<AccessContext, 'tokens' | 'now' | 'print' | 'tryPrint'> &
  Partial<Pick<AccessContext, 'note'>>;

function requestOf(values: GivenValues): TokenRequest {
  const { user, name, scope: scopes, budget: budgets, 'expires-in-days': days } = values;
  return {
    owner: String(user),
    ...(typeof name === 'string' && { name }),
    ...(typeof scopes === 'object' && { scopes }),
    ...(typeof budgets === 'object' && { budgets }),
    ...(days !== undefined && { expiresInDays: Number(days) }),
  };
}

export const tokenIssueCommand = command({
  name: 'token issue',
  usage: '--user U [--budget B]… [--scope S]… [--expires-in-days N] [--name T] [--json]',
  summary: 'makes a token and prints its value once',
  options: {
    user: { ...USER, about: 'Id of the user that the token acts as', required: true },
    budget: {
      value: 'B',
      about: 'Narrows the token to this budget; default: all budgets of the user',
      repeats: true,
    },
    scope: {
      value: 'S',
      about: 'Narrows it to this scope, such as accounts:read; default: all scopes',
      repeats: true,
    },
    'expires-in-days': {
      value: 'N',
      about: `Lifetime in days, 0 to ${LIFETIME_DAYS_MAX}; default: ${LIFETIME_DAYS_MAX}`,
    },
    name: { value: 'T', about: 'Name that lists show; default: API token' },
    json: JSON_OUTPUT,
  },
  refuse(values) {
    const { 'expires-in-days': days } = values;
    if (days !== undefined && !/^\d{1,9}$/.test(String(days))) {
      return `Expected --expires-in-days to be a whole number from 0 to ${LIFETIME_DAYS_MAX}, got ${days}`;
    }
    return refusalOf(() => checkTokenRequest(requestOf(values)));
  },
  examples: ['token issue --user anna --budget household --expires-in-days 30'],
  audit: { ids: ['user', 'budget'] },
  async run({ values }, { tokens, now, print, tryPrint, note }: IssueContext) {
    const request = requestOf(values);
    const { token, record } = await tokens.issue(request, now());
    note?.({ tokenId: record.id, scopes: record.scopes });
    // The value is a secret: it is printed, and never logged.
    const isPrinted = await tryPrint(values.json ? JSON.stringify({ token, ...record }) : token);
    if (!isPrinted) {
      await tokens.revoke(record.id, now());
      const message = `Expected to print the token, got no output: token ${record.id} is revoked`;
      throw new UserError(message);
    }
    // `token issue … | head -1` takes no more than the value.
    if (values.json) return;
    print('This value is shown once and cannot be recovered');
    for (const line of describeToken(record)) print(line);
  },
  opens: access,
});
