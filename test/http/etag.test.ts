// Entity tags are compared weakly.
import test from 'ava';
import { makeEtag, matchesEtag } from '../../src/http/etag.ts';

test('makeEtag: any part changes it, and parts do not run into each other', t => {
  const tags = [[], ['a'], ['b'], ['a', 'b'], ['ab'], ['a', 'b', '']].map(makeEtag);
  t.is(new Set(tags).size, tags.length);
  t.is(makeEtag(['a', 'b']), makeEtag(['a', 'b']));
  for (const tag of tags) t.regex(tag, /^W\/"[\w-]{22}"$/);
});

test('If-None-Match: weak comparison, lists and *', t => {
  const matches = (header: string) => matchesEtag(header, 'W/"x1"');
  for (const header of ['W/"x1"', '"x1"', '"a", W/"x1" ,"b"', '*', ' * ']) {
    t.true(matches(header), header);
  }
  for (const header of ['', '"x2"', 'x1', 'W/x1', '"x1', '"a*"']) t.false(matches(header), header);
  // Before the quotes stands W/ or nothing (RFC 9110, section 8.8.3).
  for (const header of ['w/"x1"', 'x"x1"', 'W/ "x1"', 'W"x1"', '"a" "x1"', '"x1"b']) {
    t.false(matches(header), header);
  }
});
