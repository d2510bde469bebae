// What Kafka's rights allow, as docs/operations.md lists them, and the error where one is missing. The broker is this file's
// own, because it refuses all who have no right.
import anyTest from 'ava';
import kafkajs from 'kafkajs';
import { UserError } from '../../src/process/errors.ts';
import {
  administer,
  configOf,
  createTopic,
  kafkaTest,
  ownKafka,
  secureConfigOf,
} from '../helpers/kafka.ts';
import { memoryLog } from '../http/memory-log.ts';
import { createFencedStore } from './fenced-store.ts';
import { openForTest } from './kafka-log-under-test.ts';
import { LIMITS, records, until } from './log-under-test.ts';

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;
const test = kafkaTest(anyTest);
const SETTINGS = {
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  // Who comes through the plain listener, as the test itself does.
  'super.users': 'User:ANONYMOUS',
};

type Right = keyof typeof AclOperationTypes;

interface Resource {
  readonly type: 'TOPIC' | 'GROUP' | 'TRANSACTIONAL_ID';
  readonly name: string;
  readonly prefix?: boolean;
}

async function secured(t: Parameters<typeof openForTest>[0]) {
  const kafka = await ownKafka({ secure: true, settings: SETTINGS });
  t.teardown(kafka.stop);
  const plain = configOf(kafka.brokers);
  const topic = await createTopic(plain, 2);
  const { ca = '', username = '' } = kafka.secure ?? {};
  const config = secureConfigOf(kafka, { KAFKA_TLS_CA: ca });
  const allow = (resource: Resource, rights: readonly Right[]) =>
    administer(plain, async admin => {
      await admin.createAcls({
        acl: rights.map(right => ({
          resourceType: AclResourceTypes[resource.type],
          resourceName: resource.name,
          resourcePatternType: ResourcePatternTypes[resource.prefix ? 'PREFIXED' : 'LITERAL'],
          principal: `User:${username}`,
          host: '*',
          operation: AclOperationTypes[right],
          permissionType: AclPermissionTypes.ALLOW,
        })),
      });
    });
  return { topic, config, allow };
}

/** A broker takes a moment to know of a new right. */
async function onceAllowed<T>(act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
    }
  }
}

test('each missing right is said, with whose it is; with those of the table everything works', async t => {
  const { topic, config, allow } = await secured(t);
  const { logger, lines } = memoryLog();
  const said = (what: RegExp) => lines.splice(0).some(({ msg }) => what.test(msg));
  const refused = (what: string) => ({
    instanceOf: UserError,
    message: new RegExp(`the user of KAFKA_SASL_USERNAME may not use this ${what}$`),
  });
  const open = () => openForTest(t, topic, { config, logger });
  const openWriter = () => openForTest(t, topic, { config, logger, writer: true });
  const controller = new AbortController();
  const { signal } = controller;
  const store = createFencedStore();
  const group = { group: 'g1', limits: LIMITS, signal };

  await t.throwsAsync(open(), refused('topic'));
  await allow({ type: 'TOPIC', name: topic }, ['READ', 'DESCRIBE']);
  const unchecked = /^The settings of the topic could not be checked: /;
  await onceAllowed(open);
  t.true(said(unchecked));
  await allow({ type: 'TOPIC', name: topic }, ['DESCRIBE_CONFIGS']);
  let log = await open();
  while (said(unchecked)) log = await open();

  await t.throwsAsync(log.subscribe(store.subscriber('here'), group), refused('consumer group'));
  await allow({ type: 'GROUP', name: `${topic}.`, prefix: true }, ['READ']);
  const running = onceAllowed(() => log.subscribe(store.subscriber('here'), group));

  await t.throwsAsync(openWriter(), refused('transactional id'));
  await allow({ type: 'TRANSACTIONAL_ID', name: `${topic}.append` }, ['WRITE', 'DESCRIBE']);
  const writer = await onceAllowed(openWriter);
  await t.throwsAsync(writer.append(records(1)), refused('topic'));
  await allow({ type: 'TOPIC', name: topic }, ['WRITE']);
  await onceAllowed(() => writer.append(records(10)));
  await until(() => store.count() >= 10, 'all have arrived');
  controller.abort();
  await running;
});
