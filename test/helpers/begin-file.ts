// Imported before a file that shares its process, as `begin-file.js?http/months.mongo`: a module for each name.
import { beginFile } from './file-test.ts';

beginFile(new URL(import.meta.url).search.slice(1));
