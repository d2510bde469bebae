// A broker and a mongod for the tests of a file.
import type { FileTest } from './file-test.ts';
import { type TestKafka, useKafka } from './kafka.ts';
import { type StartedMongo, startOwnMongo, whileTested } from './mongo.ts';

export interface Servers {
  readonly kafka: TestKafka;
  readonly mongo: StartedMongo;
}

/** Starts both before the tests of a file, and returns a function that returns them. The mongod is the file's own by default. */
export function useKafkaAndMongo(
  test: FileTest,
  startMongo: () => Promise<StartedMongo> = startOwnMongo,
): () => Servers {
  return whileTested(test, async () => {
    const [kafka, mongo] = await Promise.all([useKafka(), startMongo()]);
    return {
      kafka,
      mongo,
      async stop() {
        await mongo.stop();
        await kafka.stop();
      },
    };
  });
}
