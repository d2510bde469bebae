// The pages of API tokens: list, create, show once, revoke (rules/api.md#tokens).
import { isSecret } from '../../../access/secret.ts';
import type { Token } from '../../../access/token.ts';
import type { Reached, TokenMaxima } from '../../../access/token-maxima.ts';
import type { TokenRequest } from '../../../access/token-request.ts';
import type { Issued } from '../../../access/tokens.ts';
import { BASE_PATH } from '../../../http/create-router.ts';
import type { Context, Middleware } from '../../../http/request-state.ts';
import { audit } from '../../../process/log.ts';
import { type Html, html } from '../../kit/html.ts';
import type { Form } from '../form.ts';
import { byMethod } from '../middleware.ts';
import type { SettingsOptions } from '../options.ts';
import { badForm, notFound } from '../page-error.ts';
import { renderNotice, seeOther, sendPage } from '../send-page.ts';
import { FORM_KEY, type Session, type Sessions } from '../session.ts';
import { renderSignOutEverywhere } from '../sign-out.ts';
import { readBudgets } from './budgets.ts';
import { FORM_NUMBER, renderCreated, renderCreateForm } from './create-form.ts';
import { renderList, revokePath } from './list-page.ts';
import {
  checkDraft,
  DRAFT_FIELDS,
  EMPTY_DRAFT,
  type Problems,
  readDraft,
  type TokenDraft,
} from './token-draft.ts';

const LIST_PATH = '/settings/tokens';
/** Room for the ids of as many budgets as a token may have. */
const CREATE_BYTES_MAX = 160 * 1024;
const REVOKE_BYTES_MAX = 1024;
/** Of one user; the one for a day keeps what is stored of ended tokens from growing fast. */
const TOKENS_MAX: TokenMaxima = { active: 100, perDay: 200 };
const PROBLEMS: Readonly<Record<Reached, string>> = {
  active: `You have ${TOKENS_MAX.active} tokens, the most there can be. Revoke one first.`,
  perDay: `You made ${TOKENS_MAX.perDay} tokens within a day. Try again tomorrow.`,
};

/** The pages by their paths. */
export function tokenPages(
  options: SettingsOptions,
  sessions: Sessions,
): Readonly<Record<string, Middleware>> {
  const { access, readModel, clock, origin } = options;
  const { tokens } = access;

  async function list(ctx: Context, session: Session): Promise<void> {
    const content = html`${renderNotice(ctx.state.query)}
${await listOf(options, session.user)}
${renderSignOutEverywhere(session)}`;
    sendPage(ctx, { title: 'API tokens', content, session, scripts: ['copy'] });
  }

  async function showForm(
    ctx: Context,
    session: Session,
    { draft, problems }: { draft: TokenDraft; problems: Problems },
  ): Promise<void> {
    const budgets = await readBudgets(readModel, session.user);
    const content = renderCreateForm({ session, draft, problems, budgets, now: clock() });
    const status = Object.keys(problems).length > 0 ? 422 : 200;
    sendPage(ctx, { title: 'Create a token', content, session, status, scripts: ['choose'] });
  }

  async function showEmptyForm(ctx: Context, session: Session): Promise<void> {
    await showForm(ctx, session, { draft: EMPTY_DRAFT, problems: {} });
  }

  async function create(ctx: Context, session: Session, sent: Form): Promise<void> {
    const draft = readDraft(sent);
    const number = sent.one(FORM_NUMBER);
    // It is kept with the session, so it must be no longer than those we make.
    if (!isSecret(number)) throw badForm();
    const now = clock();
    const reachable = (await readBudgets(readModel, session.user)).map(({ id }) => id);
    const checked = checkDraft(draft, session.user, reachable);
    if (!checked.isGood) return await showForm(ctx, session, { draft, problems: checked.problems });
    const form = { session, number, request: checked.request };
    const issued = await issueOnce(access, form, now);
    if (issued === 'repeated') return seeList(ctx, issued);
    if (typeof issued === 'string') {
      return await showForm(ctx, session, { draft, problems: { whole: PROBLEMS[issued] } });
    }
    const { token, record } = issued;
    noteToken(options, ctx, { action: 'token made', token: record });
    const budgetId = (record.budgets ?? reachable)[0] ?? null;
    const apiAddress = origin() + BASE_PATH;
    const content = renderCreated({ token, record, apiAddress, budgetId, now });
    sendPage(ctx, { title: 'Token created', content, session, scripts: ['copy'] });
  }

  async function findOwn(ctx: Context, { user }: Session): Promise<Token> {
    const { params } = ctx as { params?: { readonly id?: string } };
    const token = await tokens.findOwn(user, params?.id ?? '');
    if (token === null) throw notFound();
    return token;
  }

  async function askToRevoke(ctx: Context, session: Session): Promise<void> {
    const token = await findOwn(ctx, session);
    if (token.revokedAt !== null) return seeList(ctx, 'revoked');
    const content = renderRevoke(token, session);
    sendPage(ctx, { title: 'Revoke this token?', content, session });
  }

  async function revoke(ctx: Context, session: Session): Promise<void> {
    const token = await findOwn(ctx, session);
    const outcome = await tokens.revoke(token.id, clock(), session.user);
    if (outcome === 'revoked') noteToken(options, ctx, { action: 'token revoked', token });
    seeList(ctx, 'revoked');
  }

  const createForm = { bytesMax: CREATE_BYTES_MAX, names: [FORM_NUMBER, ...DRAFT_FIELDS] };
  const revokeForm = { bytesMax: REVOKE_BYTES_MAX, names: [] };
  return {
    [LIST_PATH]: byMethod({ GET: sessions.page(list), POST: sessions.form(createForm, create) }),
    [`${LIST_PATH}/new`]: byMethod({ GET: sessions.page(showEmptyForm) }),
    [revokePath(':id')]: byMethod({
      GET: sessions.page(askToRevoke),
      POST: sessions.form(revokeForm, revoke),
    }),
  };
}

async function listOf({ access, readModel, clock }: SettingsOptions, user: string): Promise<Html> {
  const now = clock();
  const [tokens, budgets, events] = await Promise.all([
    access.tokens.own(user, now),
    readBudgets(readModel, user),
    access.tokens.history(user, now),
  ]);
  return renderList({ tokens, budgets, events, now });
}

function renderRevoke({ id, name, last4 }: Token, { formKey }: Session): Html {
  return html`<p>“<bdi>${name}</bdi>”, ending in <code>${last4}</code>, is refused from the next request on. This cannot be undone.</p>
<form method="post" action="${revokePath(id)}">
<input type="hidden" name="${FORM_KEY}" value="${formKey}">
<p class="actions"><button class="danger">Revoke</button> <a class="button plain" href="${LIST_PATH}">Keep it</a></p>
</form>`;
}

function noteToken(
  { logger }: SettingsOptions,
  { state: { requestId } }: Context,
  { action, token }: { readonly action: 'token made' | 'token revoked'; readonly token: Token },
): void {
  const { id: tokenId, owner: by, scopes, budgets } = token;
  audit(logger, action, { by, tokenId, scopes, budgets, requestId });
}

interface FormOnce {
  readonly session: Session;
  readonly number: string;
  readonly request: TokenRequest;
}

/** Issues the token of a form, at most once. Returns `repeated` for a form sent again, by a reload or a second click. */
async function issueOnce(
  { tokens, sessions }: SettingsOptions['access'],
  { session, number, request }: FormOnce,
  now: Date,
): Promise<Issued | Reached | 'repeated'> {
  // Asked before the form is used up, so that the person can send it again after revoking a token.
  const reached = await tokens.reached(session.user, TOKENS_MAX, now);
  if (reached !== null) return reached;
  const isFirst = await sessions.useForm(session.id, number, now);
  return isFirst ? await tokens.issueWithin(TOKENS_MAX, request, now) : 'repeated';
}

function seeList(ctx: Context, notice: string): void {
  seeOther(ctx, `${LIST_PATH}?notice=${notice}`);
}
