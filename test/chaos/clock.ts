// Preloaded into processes of the product (`node --import`): on SIGUSR2 the wall clock jumps by the milliseconds in the
// file named by CHAOS_CLOCK. Timers and `performance` continue, as they do when a real clock is set.
import { readFileSync } from 'node:fs';

const RealDate = Date;
let jumpMs = 0;

process.on('SIGUSR2', () => {
  jumpMs = Number(readFileSync(process.env.CHAOS_CLOCK ?? '', 'utf8'));
});

const now = () => RealDate.now() + jumpMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, made) =>
    Reflect.construct(target, args.length > 0 ? args : [now()], made),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
