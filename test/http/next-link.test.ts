// The link to the next page (RFC 8288).
import test from 'ava';
import { type NextPage, nextLink } from '../../src/http/list-page.ts';

const PATH = '/api/v1/transactions';
const from = (offset: number): NextPage => ({ name: 'offset', value: String(offset) });

test('all parameters stay, and offset is that of the next page', t => {
  const query = 'budget_id=b1&offset=20&limit=10&uncleared=true';
  t.is(
    nextLink({ path: PATH, query }, '', from(30)),
    '</api/v1/transactions?budget_id=b1&limit=10&uncleared=true&offset=30>; rel="next"',
  );
});

test('an origin makes it absolute', t => {
  t.is(
    nextLink({ path: PATH, query: 'budget_id=b1' }, 'https://budgeting.example.com', from(1000)),
    '<https://budgeting.example.com/api/v1/transactions?budget_id=b1&offset=1000>; rel="next"',
  );
});

test('values are encoded, so that nothing of them ends the link', t => {
  const query = 'search=a+b%3E%3B,%22%C3%A9&budget_id=b~1:2';
  const link = nextLink({ path: PATH, query }, '', from(5));
  t.is(
    link,
    '</api/v1/transactions?search=a%20b%3E%3B%2C%22%C3%A9&budget_id=b~1%3A2&offset=5>; rel="next"',
  );
});

test('a cursor takes the place of the given one, or is added where none was given', t => {
  const path = '/api/v1/changes';
  const next: NextPage = { name: 'cursor', value: '2.mark.7.9.8.5.t~1.chk' };
  for (const query of ['budget_id=b1&limit=5', 'cursor=2.a.b&budget_id=b1&limit=5']) {
    t.is(
      nextLink({ path, query }, '', next),
      '</api/v1/changes?budget_id=b1&limit=5&cursor=2.mark.7.9.8.5.t~1.chk>; rel="next"',
    );
  }
});
