// npm run generate: writes again every file that is made from the program itself.
import { spawnSync } from 'child_process';
import fs from 'fs';
import path from 'path';
import { install, root } from './install.mjs';
import { findNode } from './launch.mjs';

install(true).then(() => {
  const scripts = ['complete-lock', 'generate-schema', 'generate-openapi', 'generate-client', 'generate-env'].map(
    (name) => 'scripts/' + name + '.ts',
  );
  for (const script of scripts.filter((name) => fs.existsSync(path.join(root, name)))) {
    const { status } = spawnSync(findNode(), [script], { cwd: root, stdio: 'inherit' });
    if (status !== 0) process.exit(1);
  }
});
