/** One look after another: as soon as somebody asks for one, and by itself as soon as the last one wants another. */
export interface Looks {
  look: () => void;
  close: () => void;
}

/** `nextAfter`: how many milliseconds after a look the next one is wanted, if it is. */
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
      // The store may have been taken down with its session: there is nobody left to look for.
      .catch(() => {})
      .finally(() => {
        atWork = false;
        if (closed) return;
        if (missed) return void setImmediate(look);
        const after = nextAfter();
        if (after !== undefined) timer = setTimeout(look, after).unref();
      });
  }
  return {
    look,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
