// Installs Node of other majors once, into the user's cache; package/ pins their versions and hashes.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../src/process/errors.ts';
import { installPinned, pinnedSources } from '../pinned-packages.ts';

/** Returns the majors that can be installed. */
export async function nodeMajors(): Promise<string[]> {
  const text = await readFile(join(pinnedSources('node'), 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(text);
  return Object.keys(dependencies).map(name => name.replace('node-', ''));
}

/**
 * Returns the folder that contains the program `node` of a major.
 *
 * @throws UserError if there is none of that major for this machine, or if it cannot be installed
 */
export async function installNode(major: string, env: NodeJS.ProcessEnv): Promise<string> {
  const majors = await nodeMajors();
  if (!majors.includes(major)) {
    throw new UserError(`Expected one of the majors ${majors.join(', ')} of Node, got ${major}`);
  }
  const machine = `${process.platform} ${process.arch}`;
  if (machine !== 'linux x64') throw new UserError(`Expected linux x64, got ${machine}`);
  const folder = await installPinned(env, 'node', 'Node');
  return join(folder, 'node_modules', `node-${major}`, 'bin');
}
