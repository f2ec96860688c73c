import { flushSync, mount } from 'svelte';
import App from './Svelte.svelte';
import { watched } from './state.svelte.js';

export function start(place, shown, hear) {
  const state = watched(shown);
  mount(App, { target: place, props: { state, hear } });
  flushSync();
  return async (next) => {
    flushSync(() => {
      state.current = next;
    });
  };
}
