// A wait that a test ends.

/** `opened` resolves once `open` is called. */
export function gate() {
  let open = () => {};
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { open, opened };
}
