// Turns the form of a new token into a token request, or into the problems to fix. Pure.
import { SCOPES } from '../../../../schemas/generated/api.ts';
import {
  BUDGETS_MAX,
  checkTokenRequest,
  NAME_CHARACTERS_MAX,
  refusalOf,
  type TokenRequest,
} from '../../../access/token-request.ts';
import type { Form } from '../form.ts';
import { badForm } from '../page-error.ts';

/** `all` includes later additions; `picked` is the ticked choices only. */
export type Extent = 'all' | 'picked';

export interface TokenDraft {
  readonly name: string;
  readonly access: Extent;
  readonly scopes: readonly string[];
  readonly reach: Extent;
  readonly budgets: readonly string[];
  readonly days: number;
}

/** The problems to fix, by part of the form. */
export type Problems = Partial<Record<'name' | 'scopes' | 'budgets' | 'whole', string>>;

export type CheckedDraft =
  | { readonly isGood: true; readonly request: TokenRequest }
  | { readonly isGood: false; readonly problems: Problems };

export const DRAFT_FIELDS = ['name', 'access', 'scope', 'reach', 'budget', 'days'];
export const DAYS = [1, 7, 30, 90, 180, 365] as const;

export const EMPTY_DRAFT: TokenDraft = {
  name: '',
  access: 'all',
  scopes: [],
  reach: 'all',
  budgets: [],
  days: 365,
};

/** @throws PageError 400 when no page of this service can have sent the form */
export function readDraft(form: Form): TokenDraft {
  const days = DAYS.find(choice => String(choice) === form.one('days'));
  const scopes = form.all('scope');
  const known = scopes.every(scope => SCOPES.some(one => one === scope));
  if (days === undefined || !known) throw badForm();
  return {
    name: form.one('name'),
    access: toExtent(form.one('access')),
    scopes,
    reach: toExtent(form.one('reach')),
    budgets: form.all('budget'),
    days,
  };
}

function toExtent(text: string): Extent {
  if (text === 'all' || text === 'picked') return text;
  throw badForm();
}

/**
 * Returns the token request, or the problems of the draft.
 *
 * @param reachable the ids of the owner's budgets
 */
export function checkDraft(
  draft: TokenDraft,
  owner: string,
  reachable: readonly string[],
): CheckedDraft {
  const { name, access, scopes, reach, budgets, days } = draft;
  const problems: Problems = {
    ...problem('name', isName(name) ? null : NAME_EXPECTED),
    ...problem('scopes', extentProblem(access, scopes, 'Read everything')),
    ...problem('budgets', extentProblem(reach, budgets, ALL_BUDGETS)),
  };
  const known = new Set(reachable);
  if (!budgets.every(id => known.has(id))) {
    problems.budgets = 'One of the budgets is not among yours. Choose again.';
  } else if (new Set(budgets).size > BUDGETS_MAX) {
    problems.budgets = `Tick at most ${BUDGETS_MAX} budgets, or choose “${ALL_BUDGETS}”.`;
  }
  if (Object.keys(problems).length > 0) return { isGood: false, problems };
  const request = {
    owner,
    name,
    ...(access === 'picked' && { scopes }),
    budgets: reach === 'picked' ? budgets : null,
    expiresInDays: days,
  };
  return { isGood: true, request };
}

const ALL_BUDGETS = 'All my budgets, later ones too';
const NAME_EXPECTED = `Enter a name of 1 to ${NAME_CHARACTERS_MAX} characters.`;

function isName(name: string): boolean {
  return refusalOf(() => checkTokenRequest({ owner: 'any', name })) === null;
}

/** Boxes ticked beside `all` contradict it, so the person has to decide: neither choice is assumed. */
function extentProblem(extent: Extent, picked: readonly string[], all: string): string | null {
  if (extent === 'picked')
    return picked.length > 0 ? null : `Tick at least one, or choose “${all}”.`;
  return picked.length === 0 ? null : `Choose “Only what is ticked”, or untick all of them.`;
}

function problem(field: keyof Problems, text: string | null): Problems {
  return text === null ? {} : { [field]: text };
}
