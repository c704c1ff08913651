/** Runs one look at a time: when requested, and again after the delay that the last look asked for. */
export interface Looks {
  look: () => void;
  close: () => void;
}

/** `nextAfter`: the delay in milliseconds until the next look, if there should be one. */
export function keepLooking(lookOnce: () => Promise<void>, nextAfter: () => number | undefined): Looks {
  let atWork = false;
  let missed = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  function look(): void {
    missed = atWork;
    if (closed || atWork) return;
    atWork = true;
    clearTimeout(timer);
    lookOnce()
      // The store may have been removed together with its session; then nothing is left to look at.
      .catch(() => {})
      .finally(() => {
        atWork = false;
        if (closed) return;
        if (missed) return void setImmediate(look);
        const after = whenNext();
        if (after !== undefined) timer = setTimeout(look, after).unref();
      });
  }
  /** If this fails, the next event or rescan leads to a look. */
  function whenNext(): number | undefined {
    try {
      return nextAfter();
    } catch {
      return undefined;
    }
  }
  return {
    look,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
