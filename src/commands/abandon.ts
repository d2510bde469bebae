// `rebuild --abandon`: gives up a build. It opens no event log, because a broken log may be the reason to give up.
import { abandonBuild } from '../generations/operate.ts';
import type { StoreConnection } from '../store/connect.ts';

export interface AbandonContext {
  readonly connection: Pick<StoreConnection, 'readModel'>;
  readonly print: (line: string) => void;
}

export async function runAbandon({ connection, print }: AbandonContext): Promise<void> {
  const { build, registry } = await abandonBuild(connection.readModel);
  const { id, version } = build;
  const answers =
    registry.active === null ? 'no generation answers yet' : `${registry.active} goes on answering`;
  print(`Generation ${id} (version ${version}) is given up; ${answers}`);
  if (registry.rejectedVersions.includes(version)) {
    print(`Version ${version} builds again only when asked to: budgeting rebuild`);
  } else {
    print('Another one is built only when asked for: budgeting rebuild');
  }
}
