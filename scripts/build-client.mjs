// npm pack in clients/typescript: writes what is published of the client, plain JavaScript and its types, to dist/.
import { spawnSync } from 'child_process';
import fs from 'fs';
import path from 'path';
import { install, root } from './install.mjs';
import { findNode } from './launch.mjs';

install(true).then(() => {
  const folder = path.join(root, 'clients', 'typescript');
  fs.rmSync(path.join(folder, 'dist'), { recursive: true, force: true });
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  // npm reads what a script prints; only trouble is worth a line.
  const { status } = spawnSync(findNode(), [tsc, '-p', folder], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status === 0) nameCompiled(path.join(folder, 'dist'));
  process.exitCode = status === null ? 1 : status;
});

/** The compiler renames imports in code only; in declarations './x.ts' has to be what is there, './x.js'. */
function nameCompiled(folder) {
  for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.d.ts'))) {
    const text = fs.readFileSync(path.join(folder, file), 'utf8');
    fs.writeFileSync(path.join(folder, file), text.replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
  }
}
