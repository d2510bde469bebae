// The link to the next page (RFC 8288).
import test from 'ava';
import { nextLink } from '../../src/http/next-link.ts';

const PATH = '/api/v1/transactions';

test('all parameters stay, and offset is that of the next page', t => {
  const query = 'budget_id=b1&offset=20&limit=10&uncleared=true';
  t.is(
    nextLink({ path: PATH, query }, '', 30),
    '</api/v1/transactions?budget_id=b1&limit=10&uncleared=true&offset=30>; rel="next"',
  );
});

test('an origin makes it absolute', t => {
  t.is(
    nextLink({ path: PATH, query: 'budget_id=b1' }, 'https://budgeting.example.com', 1000),
    '<https://budgeting.example.com/api/v1/transactions?budget_id=b1&offset=1000>; rel="next"',
  );
});

test('values are encoded, so that nothing of them ends the link', t => {
  const query = 'search=a+b%3E%3B,%22%C3%A9&budget_id=b~1:2';
  const link = nextLink({ path: PATH, query }, '', 5);
  t.is(
    link,
    '</api/v1/transactions?search=a%20b%3E%3B%2C%22%C3%A9&budget_id=b~1%3A2&offset=5>; rel="next"',
  );
});
