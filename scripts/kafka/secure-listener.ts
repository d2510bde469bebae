// Prepares a listener with TLS and sign-in: a key and a certificate by Java's keytool, and a user.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { BROKER_ADDRESS, type SecurePlan } from './broker-settings.ts';

/** The settings of a client of the listener. */
export interface SecureAccess {
  readonly brokers: string;
  /** The broker's certificate, as PEM. */
  readonly ca: string;
  readonly username: string;
  readonly password: string;
}

/** @param java the command; keytool lies beside it, or on PATH if this is plain `java` */
export async function planSecure(
  java: string,
  folder: string,
  port: number,
): Promise<{ plan: SecurePlan; access: SecureAccess }> {
  const keytool = java === 'java' ? 'keytool' : join(dirname(java), 'keytool');
  const keystore = join(folder, 'keystore.p12');
  const keystorePassword = randomBytes(12).toString('hex');
  const store = ['-keystore', keystore, '-storepass', keystorePassword, '-storetype', 'PKCS12'];
  const key = ['-alias', 'broker', '-keyalg', 'EC', '-groupname', 'secp256r1', '-validity', '2'];
  const names = ['-dname', 'CN=localhost', '-ext', `SAN=IP:${BROKER_ADDRESS},DNS:localhost`];
  const run = promisify(execFile);
  await run(keytool, ['-genkeypair', ...store, ...key, ...names]);
  const exported = await run(keytool, ['-exportcert', '-rfc', '-alias', 'broker', ...store]);
  const user = { username: 'budgeting', password: randomBytes(12).toString('hex') };
  return {
    plan: { port, keystore, keystorePassword, ...user },
    access: { brokers: `${BROKER_ADDRESS}:${port}`, ca: exported.stdout, ...user },
  };
}
