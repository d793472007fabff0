import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { COMMAND_HELP } from '../command-help.ts';
import { RESOURCES } from '../resources.ts';
import { writeBash } from './bash.ts';
import { writeFish } from './fish.ts';
import { listCommands } from './model.ts';
import { writeZsh } from './zsh.ts';

const has = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'crawl4r-completion-'));
after(() => rmSync(folder, { recursive: true }));

/** A command line up to the cursor, and what is offered there. */
const CASES: readonly (readonly [line: readonly string[], offered: readonly string[]])[] = [
  [['cr'], ['crawl', 'crawls']],
  [['crawl', '--st'], ['--strategy']],
  [
    ['crawl', 'https://example.com', '--strategy', ''],
    ['bfs', 'dfs', 'best_first'],
  ],
  [['crawl', '--strategy', 'd'], ['dfs']],
  [['crawl', '--depth', ''], []],
  [['--server', 'crawl', 'ta'], ['tasks']],
  [['tasks', 'restart-p'], ['restart-parsing']],
  [
    ['tasks', 'restart-failed', '--c'],
    ['--crawl', '--code'],
  ],
  [
    ['tasks', '--s'],
    ['--status', '--server'],
  ],
  [
    ['domains', 'set', 'example.com', '--autothrottle', ''],
    ['true', 'false'],
  ],
  [
    ['keys', 'l'],
    ['list', 'login-link'],
  ],
  [['keys', 'create', 'me', '--scopes', 'r'], ['read']],
  [['try', 'ch'], ['chunk']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['help', 'doc'], ['doctor']],
  [['search', 'x', '--pro'], ['--profile']],
];

describe('what is offered', () => {
  const commands = listCommands();

  it('is every command of help, with every action', () => {
    const names = commands.map(({ name }) => name);
    for (const name of [...Object.keys(COMMAND_HELP), ...Object.keys(RESOURCES), 'help'])
      assert.ok(names.includes(name), name);
    for (const [name, { actions }] of Object.entries(RESOURCES))
      assert.deepEqual(
        commands.find((command) => command.name === name)?.steps.map((step) => step.name),
        Object.keys(actions),
      );
  });

  it('is every option that a usage line names', () => {
    for (const [name, { usage }] of Object.entries(COMMAND_HELP)) {
      const known = commands.find((command) => command.name === name)!.options.map((option) => option.name);
      for (const [option] of usage.matchAll(/--[a-z-]+/g))
        assert.ok([...known, '--server', '--key'].includes(option), `${name} ${option}`);
    }
  });

  it('no option is a switch in one step and takes a value in another of the same command', () => {
    for (const { name, steps, options } of commands) {
      const takes = new Map<string, string>();
      for (const option of [...options, ...steps.flatMap((step) => step.options)])
        assert.equal(
          takes.set(option.name, takes.get(option.name) ?? option.takes).get(option.name),
          option.takes,
          name,
        );
    }
  });
});

describe('in bash', { skip: has('bash') ? false : 'bash is not installed' }, () => {
  const script = join(folder, 'crawl4r.bash');
  writeFileSync(script, writeBash(listCommands()));

  it('each case offers what fits, and nothing else', () => {
    const lines = CASES.map(
      ([words]) => `COMP_WORDS=(crawl4r ${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}; _crawl4r; echo "\${COMPREPLY[*]}"`,
    );
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-u', '-c', `source ${script}\n${lines.join('\n')}`], {
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    assert.deepEqual(
      stdout.trimEnd().split('\n'),
      CASES.map(([, offered]) => offered.join(' ')),
    );
  });

  it('a value behind = is offered too, and files where a file is meant', () => {
    writeFileSync(join(folder, 'pages.jsonl'), '');
    const { stdout } = spawnSync(
      'bash',
      [
        '--norc',
        '-c',
        `source ${script}; cd ${folder}
         COMP_WORDS=(crawl4r search x --mode = k); COMP_CWORD=5; _crawl4r; echo "\${COMPREPLY[*]}"
         COMP_WORDS=(crawl4r crawl x --out pa); COMP_CWORD=4; _crawl4r; echo "\${COMPREPLY[*]}"
         complete -p crawl4r`,
      ],
      { encoding: 'utf8' },
    );
    assert.deepEqual(stdout.trim().split('\n'), ['keyword', 'pages.jsonl', 'complete -F _crawl4r crawl4r']);
  });
});

describe('in zsh', { skip: has('zsh') ? false : 'zsh is not installed' }, () => {
  const script = join(folder, 'crawl4r.zsh');
  writeFileSync(script, writeZsh(listCommands()));

  it('each case offers what fits', () => {
    // compadd and _describe stand in for those of the line editor: they print what starts with the word at the cursor.
    const stubs = `compdef() { : }
compadd() { shift; for w in "$@"; do [[ $w == \${words[CURRENT]}* ]] && print -n -- "$w "; done }
_describe() { local name=\${@[-1]}; for w in \${(P)name}; do w=\${w%%:*}; [[ $w == \${words[CURRENT]}* ]] && print -n -- "$w "; done }`;
    const lines = CASES.map(
      ([words]) =>
        `words=(crawl4r ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}; _crawl4r; print`,
    );
    const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', `${stubs}\nsource ${script}\n${lines.join('\n')}`], {
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    assert.deepEqual(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.trim()),
      CASES.map(([, offered]) => offered.join(' ')),
    );
  });
});

describe('in fish', { skip: has('fish') ? false : 'fish is not installed' }, () => {
  const script = join(folder, 'crawl4r.fish');
  writeFileSync(script, writeFish(listCommands()));

  it('each case offers what fits', () => {
    const lines = CASES.map(
      ([words]) => `echo (complete -C 'crawl4r ${words.join(' ')}' | string split -f 1 \\t | LC_ALL=C sort)`,
    );
    const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', `source ${script}\n${lines.join('\n')}`], {
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    assert.deepEqual(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.trim()),
      CASES.map(([, offered]) => [...offered].sort().join(' ')),
    );
  });
});
