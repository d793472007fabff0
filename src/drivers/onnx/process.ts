import { type ChildProcess, fork } from 'node:child_process';
import { AppError } from '../../errors.ts';
import { createReplies, type ModelHost, type ModelReply } from './replies.ts';

/** A process that has had nothing to do for this long gives its memory back; the next task starts another. */
const IDLE_MS = 60_000;

/**
 * A process with a model in it, for work that may wait: it runs at the lowest priority, so that crawls, searches and the
 * database come first whenever the cores are wanted (see step-back.ts). Otherwise as a thread with a model.
 */
export function createModelProcess<Task>(file: URL, data: object): ModelHost<Task> {
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  const replies = createReplies();

  const end = (made: ChildProcess, cause?: unknown) => {
    if (child !== made) return;
    child = undefined;
    clearTimeout(idle);
    made.kill('SIGKILL');
    replies.failAll(cause);
  };
  const start = () => {
    const made = fork(file, [JSON.stringify(data)], {
      execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=2'],
      serialization: 'advanced',
      // A session of its own: where Linux shares the cores between sessions, only a whole session can step back.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    made.on('message', (reply: ModelReply) => {
      replies.settle(reply);
      if (replies.waiting > 0) return;
      release(made);
      clearTimeout(idle);
      idle = setTimeout(() => end(made), IDLE_MS).unref();
    });
    made.on('error', (error) => end(made, error));
    made.on('exit', (code, signal) => end(made, new Error(`the model's process ended with ${signal ?? code}`)));
    return made;
  };

  return {
    get load() {
      return replies.waiting;
    },
    run(task) {
      clearTimeout(idle);
      child ??= start();
      const used = child;
      used.ref();
      used.channel?.ref();
      const { id, promise } = replies.expect();
      used.send({ id, task }, (error) => error !== null && end(used, error));
      return promise;
    },
    async [Symbol.asyncDispose]() {
      const ending = child;
      if (ending === undefined) return;
      const gone =
        ending.exitCode === null && ending.signalCode === null && new Promise((done) => ending.once('exit', done));
      ending.ref();
      end(ending, new AppError('ENGINE_DOWN', 'the program is ending'));
      await gone;
    },
  };
}

/** An idle child does not keep the process alive. */
function release(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}
