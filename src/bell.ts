/** Wakes the waiter; a ring without a waiter is kept for the next wait. */
export class Bell {
  #rung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#rung = false;
    this.#wake = undefined;
  }

  /**
   * Waits for a ring or for `listen`, whichever comes first. Both waits end then: an abandoned wait
   * would consume the next ring.
   */
  async waitOr(listen: (signal: AbortSignal) => Promise<unknown>, ms: number): Promise<void> {
    const listening = new AbortController();
    const heard = listen(listening.signal).finally(() => {
      if (!listening.signal.aborted) this.ring();
    });
    await this.wait(ms);
    listening.abort();
    await heard;
  }
}
