// The settings of a single Kafka broker (KRaft) for one machine: small, quick to start, without replication.

export interface BrokerPlan {
  /** Holds the settings and the log. */
  readonly folder: string;
  readonly data: string;
  readonly port: number;
  readonly controllerPort: number;
  /** A second listener with TLS and sign-in; null for none. */
  readonly secure: SecurePlan | null;
  /** A listener that is advertised under the port of a proxy; null for none. */
  readonly proxied: { readonly port: number; readonly proxyPort: number } | null;
  /** Override all others. */
  readonly settings: Readonly<Record<string, string | number>>;
}

export interface SecurePlan {
  readonly port: number;
  /** Path of a PKCS12 file with the broker's key and certificate. */
  readonly keystore: string;
  readonly keystorePassword: string;
  readonly username: string;
  readonly password: string;
}

const LISTENERS = [
  'PLAINTEXT:PLAINTEXT',
  'SASL_SSL:SASL_SSL',
  'PROXIED:PLAINTEXT',
  'CONTROLLER:PLAINTEXT',
];
export const BROKER_ADDRESS = '127.0.0.1';

/** Returns the text of server.properties. */
export function brokerSettings(plan: BrokerPlan): string {
  const { data, port, controllerPort, secure, proxied } = plan;
  const listenersAt = (proxiedPort: number | undefined) =>
    [
      `PLAINTEXT://${BROKER_ADDRESS}:${port}`,
      ...(secure ? [`SASL_SSL://${BROKER_ADDRESS}:${secure.port}`] : []),
      ...(proxied ? [`PROXIED://${BROKER_ADDRESS}:${proxiedPort}`] : []),
    ].join(',');
  return propertiesText({
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@${BROKER_ADDRESS}:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    listeners: `${listenersAt(proxied?.port)},CONTROLLER://${BROKER_ADDRESS}:${controllerPort}`,
    'advertised.listeners': listenersAt(proxied?.proxyPort),
    'listener.security.protocol.map': LISTENERS.join(','),
    'log.dirs': data,
    'auto.create.topics.enable': false,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.num.partitions': 1,
    'transaction.state.log.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 500,
    'log.cleaner.dedupe.buffer.size': 4_194_304,
    // Without these two a restart on the same data takes ten seconds.
    'broker.session.timeout.ms': 3000,
    'broker.heartbeat.interval.ms': 500,
    ...(secure ? secureSettings(secure) : {}),
    ...plan.settings,
  });
}

function secureSettings(secure: SecurePlan): Record<string, string> {
  const { keystore, keystorePassword, username, password } = secure;
  const modules = 'org.apache.kafka.common.security';
  const scram = `${modules}.scram.ScramLoginModule required;`;
  return {
    'ssl.keystore.type': 'PKCS12',
    'ssl.keystore.location': keystore,
    'ssl.keystore.password': keystorePassword,
    'ssl.key.password': keystorePassword,
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    'listener.name.sasl_ssl.plain.sasl.jaas.config': `${modules}.plain.PlainLoginModule required user_${username}="${password}";`,
    'listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config': scram,
    'listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config': scram,
  };
}

/** Returns Log4j's settings: warnings, and the line that reports that the broker is ready. */
export function loggingSettings(file: string): string {
  return propertiesText({
    status: 'off',
    'appender.file.type': 'File',
    'appender.file.name': 'file',
    'appender.file.fileName': file,
    'appender.file.layout.type': 'PatternLayout',
    'appender.file.layout.pattern': '%d %p %m (%c)%n',
    'rootLogger.level': 'warn',
    'rootLogger.appenderRef.file.ref': 'file',
    'logger.ready.name': 'kafka.server.KafkaRaftServer',
    'logger.ready.level': 'info',
  });
}

/** The broker logs this line when it takes requests. */
export const READY_LINE = 'Kafka Server started';

function propertiesText(settings: Record<string, string | number | boolean>): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return `${lines.join('\n')}\n`;
}
