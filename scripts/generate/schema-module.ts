// Generates a module that imports every schema of a folder, so that dist/ contains them and they need no file access.
import path from 'node:path';
import { readFolder } from './schema-files.ts';
import { GENERATED_LINE } from './type-source.ts';

/**
 * Returns the source of a module in `schemas/generated/`.
 * @param exported name of the record that holds the schemas by file name
 */
export function schemaModule(folder: string, exported: string): string {
  const imports: string[] = [GENERATED_LINE];
  const entries: string[] = [];
  for (const { name, path: file } of readFolder(folder)) {
    const local = name.replaceAll(/[.-](.)/g, (_, letter: string) => letter.toUpperCase());
    const relative = path.posix.relative('schemas/generated', file);
    imports.push(`import ${local} from '${relative}' with { type: 'json' };`);
    entries.push(`  '${name}': ${local},`);
  }
  return `${imports.join('\n')}\n\nexport const ${exported} = {\n${entries.join('\n')}\n};\n`;
}
