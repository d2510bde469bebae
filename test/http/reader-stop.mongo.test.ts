// A reader that stops takes no new connections, so that a proxy asks another one.
import { connect } from 'node:net';
import { startReader } from '../../src/commands/services/reader.ts';
import { loadConfig } from '../../src/process/config.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { createReadModel } from '../helpers/read-model.ts';
import { budget, space } from '../model/scene.ts';
import { memoryLog } from './memory-log.ts';
import { at, openStream } from './stream-client.ts';

const mongo = useMongo(test);

function connectionTo(port: number): Promise<string> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve('taken');
    });
    socket.on('error', error => resolve((error as NodeJS.ErrnoException).code ?? ''));
  });
}

test('no connection is taken from the moment that it stops, though a change stream is open', async t => {
  const readModel = mongo.database('stop');
  const access = mongo.newDatabase('stop_access');
  const model = await createReadModel(readModel);
  await model.activate();
  await model.project('s1', ...space(['anna']));
  await model.project('b1', budget('s1'));
  const reader = await startReader({
    connection: { readModel, database: () => access },
    config: loadConfig({ PORT: '0' }),
    logger: memoryLog().logger,
  });
  const { token } = await reader.tokens.issue({ owner: 'anna' }, new Date());
  const stream = await openStream(reader.address, token);
  await stream.told(at('b1', 1));
  const port = Number(new URL(reader.address).port);
  t.is(await connectionTo(port), 'taken');
  const stopped = reader.stop();
  t.is(await connectionTo(port), 'ECONNREFUSED');
  await stream.ended;
  await stopped;
});
