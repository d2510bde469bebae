import anyTest from 'ava';
import { kafkaTest, type TestKafka, useKafka } from '../helpers/kafka.ts';
import { contractTests } from './contract.ts';
import { createKafkaLog } from './kafka-log-under-test.ts';

let kafka: TestKafka;
anyTest.before(async () => {
  kafka = await useKafka();
});
anyTest.after.always(() => kafka?.stop());

const test = kafkaTest(anyTest);
contractTests(test, t => createKafkaLog(t, kafka.config, 4));
