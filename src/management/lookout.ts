// Looks now and then, so that there is a history, and whenever somebody asks; never twice at once.
import { createLook, type Look, type LookAgain, type Sources } from './look.ts';
import { createSamples, SAMPLE_MS, type Sample } from './samples.ts';

export interface Lookout {
  /** Begins to look. Until then nothing answers. */
  watch(sources: Sources): void;
  /** A look that is hardly older than now. */
  look(): Promise<Look>;
  /** How the generations came on, oldest first. */
  history(): readonly Sample[];
  stop(): void;
}

/** Who asks within so long after another gets the same look. */
const SHARED_MS = 1000;

/** @param hasLog whether the process is to work on a log */
export function createLookout(hasLog: boolean, now: () => Date): Lookout {
  const samples = createSamples();
  let lookAgain: LookAgain | null = null;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<Look> | null = null;
  let last: Look = nothing(hasLog, new Date(0));

  async function lookOnce(again: LookAgain): Promise<Look> {
    last = await again();
    if (last.standing) samples.add(last.standing.at.getTime(), last.standing.status);
    return last;
  }

  function look(): Promise<Look> {
    if (!lookAgain) return Promise.resolve(nothing(hasLog, now()));
    if (Math.abs(now().getTime() - last.at.getTime()) < SHARED_MS) return Promise.resolve(last);
    looking ??= lookOnce(lookAgain).finally(() => {
      looking = null;
    });
    return looking;
  }

  return {
    watch(sources) {
      lookAgain = createLook(sources, now);
      timer = setInterval(() => void look(), SAMPLE_MS).unref();
    },
    look,
    history: () => samples.all(),
    stop: () => clearInterval(timer),
  };
}

function nothing(hasLog: boolean, at: Date): Look {
  return { at, registry: null, logAnswers: hasLog ? false : null, standing: null };
}
