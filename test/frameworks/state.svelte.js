/** A value that Svelte watches. */
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
