/** Returns a value that Svelte observes. */
export function watched(value) {
  let current = $state.raw(value);
  return {
    get current() {
      return current;
    },
    set current(next) {
      current = next;
    },
  };
}
