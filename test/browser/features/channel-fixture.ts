import '../../../elements/changer-channel.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import type { ReadingServices } from './reading-services.ts';

let mounted: ChangerElement | null = null;
afterEach(() => {
  mounted?.remove();
  mounted = null;
  window.scrollTo(0, 0);
});

/** Mounts the page of a channel until the test ends. Returns its shadow root. */
export function mountChannel(services: ReadingServices, params: Readonly<Record<string, string>> = {}): ShadowRoot {
  const element = document.createElement('changer-channel');
  mounted = element;
  element.services = services;
  element.params = params;
  element.setAttribute('channel-id', 'u1');
  document.body.append(element);
  if (element.shadowRoot === null) throw new Error('no shadow root');
  return element.shadowRoot;
}
