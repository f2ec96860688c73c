// Custom elements: attributes, properties, upgrade and errors of `define`.

import { expect, fixture, html, oneEvent, waitUntil } from '@open-wc/testing';
import { useState } from 'react';
import { define } from '../../../elements/define-element.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import '../../../elements/embed/embed-services.ts';
import { createChannelsApi } from '../../../src/api/channels-api.ts';
import { createHttpClient } from '../../../src/api/client.ts';
import { type AppServices, useServices } from '../../../src/context/services.ts';
import { createAccountClient } from '../../../src/data/clients/account-client.ts';
import { useMsg } from '../../../src/i18n/i18n.ts';
import { createBrowserHost } from '../../../src/platform/browser.ts';
import { createMemoryStorage } from '../../../src/storage/memory-storage.ts';

interface ProbeProps {
  readonly text?: string;
  readonly open?: boolean;
  readonly limit?: number;
  readonly channelId?: string;
  readonly show?: string;
  readonly channels?: string | readonly string[];
  readonly params?: Readonly<Record<string, string>>;
}

/** Renders its properties unchanged, and has a counter as its own state. */
function Probe(props: ProbeProps) {
  const [count, setCount] = useState(0);
  const { environment: site } = useServices();
  const { locale } = useMsg();
  if (props.text === 'throw') throw new Error('the page broke');
  return (
    <section>
      <output>{JSON.stringify(props, (_key, value) => (value === undefined ? 'undefined' : value))}</output>
      <button type="button" onClick={() => setCount(count + 1)}>
        {count}
      </button>
      <address>{site.baseUrl}</address>
      <data value={locale} />
      <slot />
    </section>
  );
}

const attributes = {
  text: 'text',
  open: 'boolean',
  limit: 'count',
  channelId: 'text',
  show: ['all', 'unread'],
  channels: 'list',
} as const;
define('changer-probe', Probe, { styles: ['section { color: rgb(1, 2, 3) }'], attributes, slotted: true });

type ProbeElement = ChangerElement & { -readonly [Name in keyof ProbeProps]: ProbeProps[Name] | undefined };

const make = async (markup: ReturnType<typeof html>): Promise<ProbeElement> => fixture<ProbeElement>(markup);
const find = (element: Element, selector: string): HTMLElement => {
  const found = element.shadowRoot?.querySelector<HTMLElement>(selector);
  if (found === null || found === undefined) throw new Error(`no ${selector} in ${element.localName}`);
  return found;
};
const renderedProps = (element: Element): Record<string, unknown> => JSON.parse(find(element, 'output').textContent ?? '');
const waitUntilRendered = (element: Element, expected: object) =>
  waitUntil(
    () => element.shadowRoot?.querySelector('output')?.textContent === JSON.stringify(expected),
    `shows ${JSON.stringify(expected)}`,
  );

describe('define', () => {
  it('renders immediately when the element is connected', () => {
    const element = document.createElement('changer-probe');
    document.body.append(element);
    expect(renderedProps(element)).to.deep.equal({});
    element.remove();
  });

  it('reads a boolean attribute as true when it is present, also with the value "true"', async () => {
    expect(renderedProps(await make(html`<changer-probe open></changer-probe>`))).to.deep.equal({ open: true });
    expect(renderedProps(await make(html`<changer-probe open="true"></changer-probe>`))).to.deep.equal({ open: true });
    expect(renderedProps(await make(html`<changer-probe open="false"></changer-probe>`))).to.deep.equal({ open: false });
  });

  it('reads kebab-case attributes as camelCase properties, and numeric attributes as numbers', async () => {
    const element = await make(html`<changer-probe channel-id="city" limit="5"></changer-probe>`);
    expect(renderedProps(element)).to.deep.equal({ limit: 5, channelId: 'city' });
    expect(element.channelId).to.equal('city');
    expect(element.limit).to.equal(5);
  });

  it('reads an attribute with the name of a property, as frameworks set it, unless the kebab-case attribute is present', async () => {
    const element = await make(html`<changer-probe channelid="city"></changer-probe>`);
    expect(renderedProps(element)).to.deep.equal({ channelId: 'city' });
    element.setAttribute('channel-id', 'harbour');
    await waitUntilRendered(element, { channelId: 'harbour' });
    element.removeAttribute('channel-id');
    await waitUntilRendered(element, { channelId: 'city' });
  });

  it('renders again for an empty string', async () => {
    const element = await make(html`<changer-probe text="a"></changer-probe>`);
    element.setAttribute('text', '');
    await waitUntilRendered(element, { text: '' });
  });

  it('resets a property when its attribute is removed', async () => {
    const element = await make(html`<changer-probe text="a" limit="3"></changer-probe>`);
    element.removeAttribute('text');
    await waitUntilRendered(element, { limit: 3 });
    expect(element.text).to.equal(undefined);
  });

  it('reflects primitive properties as attributes and removes them again', async () => {
    const element = await make(html`<changer-probe></changer-probe>`);
    element.channelId = 'city';
    element.open = true;
    element.limit = 4;
    await waitUntilRendered(element, { open: true, limit: 4, channelId: 'city' });
    expect(element.getAttribute('channel-id')).to.equal('city');
    element.open = false;
    element.channelId = undefined;
    await waitUntilRendered(element, { limit: 4 });
    expect(element.hasAttribute('open')).to.equal(false);
  });

  it('returns the same array that a property was set to, and renders its items', async () => {
    const element = await make(html`<changer-probe></changer-probe>`);
    const [two, one] = [['city', 'harbour'], ['city']];
    element.channels = two;
    expect(element.channels).to.equal(two);
    expect(element.getAttribute('channels')).to.equal('city,harbour');
    await waitUntilRendered(element, { channels: 'city,harbour' });
    element.channels = one;
    expect(element.channels).to.equal(one);
    await waitUntilRendered(element, { channels: 'city' });
    element.setAttribute('channels', 'park');
    expect(element.channels).to.equal('park');
    element.channels = two;
    element.channels = undefined;
    expect(element.channels).to.equal(undefined);
    await waitUntilRendered(element, {});
  });

  it('returns an object that its attribute cannot hold, reports it with an event, and renders without it', async () => {
    const element = await make(html`<changer-probe channel-id="city" limit="3"></changer-probe>`);
    for (const [name, attribute, assigned, value, expected] of [
      ['channelId', 'channel-id', { id: 'city' }, '[object Object]', 'a plain value'],
      ['limit', 'limit', [3], '[object Array]', 'a plain value'],
      ['channels', 'channels', ['a,b'], '[object Array]', 'a list of texts without commas'],
    ] as const) {
      setTimeout(() => Reflect.set(element, name, assigned));
      const event = await oneEvent(document, 'changer-attribute-refused');
      expect(event.detail).to.deep.equal({ attribute, value, expected });
      expect(Reflect.get(element, name)).to.equal(assigned);
      expect(element.hasAttribute(attribute)).to.equal(false);
    }
    await waitUntilRendered(element, {});
  });

  it('returns an array that was set before the upgrade', () => {
    const element = document.createElement('changer-late-list') as ProbeElement;
    const channels = ['city'];
    element.channels = channels;
    define('changer-late-list', Probe, { styles: [], attributes, slotted: true });
    document.body.append(element);
    expect(element.channels).to.equal(channels);
    expect(renderedProps(element)).to.deep.equal({ channels: 'city' });
    element.remove();
  });

  it('keeps a property that was set before the upgrade', () => {
    const element = document.createElement('changer-late') as ProbeElement;
    element.text = 'early';
    element.params = { post: '7' };
    document.body.append(element);
    define('changer-late', Probe, { styles: [], attributes, slotted: true });
    expect(renderedProps(element)).to.deep.equal({ text: 'early', params: { post: '7' } });
    element.text = 'later';
    expect(element.getAttribute('text')).to.equal('later');
    element.remove();
  });

  it('rejects a malformed value, reports it with an event, and renders without it', async () => {
    const element = await make(html`<changer-probe limit="3"></changer-probe>`);
    setTimeout(() => element.setAttribute('limit', '{"many"'));
    const event = await oneEvent(document, 'changer-attribute-refused');
    expect(event.detail).to.deep.equal({ attribute: 'limit', value: '{"many"', expected: 'a whole number from 1 to 100' });
    expect(event.composed).to.equal(true);
    await waitUntilRendered(element, {});
    element.setAttribute('show', 'everything');
    expect(element.show).to.equal(undefined);
    element.setAttribute('api', 'javascript:alert(1)');
    expect(element.api).to.equal(undefined);
    element.setAttribute('limit', '101');
    expect(element.limit).to.equal(undefined);
  });

  it('reads an empty api attribute as absent, not as the URL of the page', async () => {
    const element = await make(html`<changer-probe api=""></changer-probe>`);
    expect(element.api).to.equal(undefined);
  });

  it('keeps its state when the element is moved', async () => {
    const element = await make(html`<changer-probe></changer-probe>`);
    find(element, 'button').click();
    await waitUntil(() => find(element, 'button').textContent === '1');
    const container = document.createElement('div');
    document.body.append(container);
    container.append(element);
    await Promise.resolve();
    expect(find(element, 'button').textContent).to.equal('1');
    const move: unknown = Reflect.get(container, 'moveBefore');
    if (typeof move === 'function') document.body.moveBefore(element, null);
    await Promise.resolve();
    find(element, 'button').click();
    await waitUntil(() => find(element, 'button').textContent === '2');
    element.remove();
    container.remove();
  });

  it('unmounts its page when the element is removed, and starts again when the element is connected again', async () => {
    const element = await make(html`<changer-probe></changer-probe>`);
    find(element, 'button').click();
    await waitUntil(() => find(element, 'button').textContent === '1');
    const parent = element.parentElement;
    element.remove();
    await waitUntil(() => element.shadowRoot?.childElementCount === 0);
    parent?.append(element);
    expect(find(element, 'button').textContent).to.equal('0');
  });

  it('contains an error of its page, reports it with an event, and logs nothing to the console', async () => {
    const errors: unknown[] = [];
    const log = console.error;
    const note = (...args: unknown[]) => errors.push(args);
    console.error = note;
    window.addEventListener('error', note);
    const element = await make(html`<changer-probe>a site's own words</changer-probe>`);
    setTimeout(() => element.setAttribute('text', 'throw'));
    const event = await oneEvent(document.body, 'changer-failed');
    console.error = log;
    window.removeEventListener('error', note);
    expect(event.detail).to.deep.equal({ message: 'the page broke' });
    expect(event.target).to.equal(element);
    expect(errors).to.deep.equal([]);
    expect(find(element, 'slot').textContent).to.contain('could not be shown');
    element.setAttribute('text', 'well again');
    await waitUntilRendered(element, { text: 'well again' });
  });

  it('handles an error in its first render without throwing', async () => {
    const failed = oneEvent(document, 'changer-failed');
    const element = await make(html`<changer-probe text="throw"></changer-probe>`);
    await failed;
    expect(element.shadowRoot?.textContent).to.contain('could not be shown');
  });

  it('leaves light DOM children to the slot', async () => {
    const element = await make(html`<changer-probe><p>mine</p></changer-probe>`);
    expect(element.querySelector('p')?.textContent).to.equal('mine');
    expect(element.querySelector('p')?.assignedSlot?.getRootNode()).to.equal(element.shadowRoot);
  });

  it('reuses a declarative shadow root of the page, and replaces its content', () => {
    const container = document.createElement('div');
    document.body.append(container);
    container.setHTMLUnsafe('<changer-probe><template shadowrootmode="open"><p>served</p></template></changer-probe>');
    const element = container.querySelector('changer-probe');
    expect(element && renderedProps(element)).to.deep.equal({});
    expect(element?.shadowRoot?.textContent).not.to.contain('served');
    expect(element?.shadowRoot?.adoptedStyleSheets.length).to.be.greaterThan(1);
    container.remove();
  });

  it('reuses a shadow root that a loader attached before the element was defined', () => {
    const element = document.createElement('changer-loaded') as ProbeElement;
    element.attachShadow({ mode: 'open' }).append('loaded');
    document.body.append(element);
    define('changer-loaded', Probe, { styles: [], slotted: true });
    expect(renderedProps(element)).to.deep.equal({});
    expect(element.shadowRoot?.textContent).not.to.contain('loaded');
    element.remove();
  });

  it('applies its styles without a style element or a style attribute', async () => {
    const element = await make(html`<changer-probe accent="rgb(10, 20, 30)"></changer-probe>`);
    expect(getComputedStyle(find(element, 'section')).color).to.equal('rgb(1, 2, 3)');
    expect(getComputedStyle(element).getPropertyValue('--changer-brand')).to.equal('rgb(10, 20, 30)');
    expect(element.shadowRoot?.querySelector('style')).to.equal(null);
    expect(element.hasAttribute('style')).to.equal(false);
    element.setAttribute('accent', 'red; } :host { display: none');
    expect(getComputedStyle(element).getPropertyValue('--changer-brand')).to.equal('');
    expect(getComputedStyle(element).display).to.equal('block');
  });

  it('has no effect when it is called twice', () => {
    const first = customElements.get('changer-probe');
    define('changer-probe', () => null, { styles: [] });
    expect(customElements.get('changer-probe')).to.equal(first);
  });

  it('reports to the document when another version is already defined, and keeps that version', async () => {
    class OlderVersion extends HTMLElement {
      static readonly version = '0.0.1';
    }
    customElements.define('changer-older', OlderVersion);
    const conflicts: unknown[] = [];
    document.addEventListener('changer-version-conflict', ({ detail }) => conflicts.push(detail));
    define('changer-older', Probe, { styles: [] });
    define('changer-probe', Probe, { styles: [] });
    expect(conflicts).to.have.length(1);
    expect(conflicts[0]).to.deep.include({ tag: 'changer-older', kept: '0.0.1' });
    expect(customElements.get('changer-older')).to.equal(OlderVersion);
  });

  it('uses the language of its lang attribute, else the language of its ancestors', async () => {
    const elementWithLang = await make(html`<changer-probe lang="ar-EG"></changer-probe>`);
    expect(find(elementWithLang, '.root').lang).to.equal('ar');
    expect(find(elementWithLang, '.root').dir).to.equal('rtl');
    const container = await fixture(html`<div lang="ru"><changer-probe></changer-probe></div>`);
    const inherited = container.querySelector('changer-probe');
    expect(inherited && find(inherited, 'data').getAttribute('value')).to.equal('ru');
    elementWithLang.setAttribute('dir', 'ltr');
    await waitUntil(() => find(elementWithLang, '.root').dir === 'ltr');
  });

  it('accepts services as a property, and shares embedded services by URL', async () => {
    const api = await make(html`<changer-probe api="https://channels.example/any/path"></changer-probe>`);
    expect(find(api, 'address').textContent).to.equal('https://channels.example');
    const services = appServices();
    api.services = services;
    await waitUntil(() => find(api, 'address').textContent === 'mine');
    expect(api.services).to.equal(services);
    expect(api.hasAttribute('services')).to.equal(false);
  });

  it('waits with loading=lazy until the element is near the viewport', async () => {
    const container = await fixture(
      html`<div><div style="height: 9000px"></div><changer-probe loading="lazy"></changer-probe></div>`,
    );
    const element = container.querySelector('changer-probe');
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    expect(element?.shadowRoot?.childElementCount).to.equal(0);
    element?.scrollIntoView();
    await waitUntil(() => element?.shadowRoot?.querySelector('output') !== null);
  });
});

function appServices(): AppServices {
  const client = createHttpClient({ baseUrl: location.origin, tokenStorage: null });
  return {
    dataClient: createAccountClient({ api: createChannelsApi(client), storage: createMemoryStorage(), readerId: null }),
    host: createBrowserHost(),
    environment: { baseUrl: 'mine', embedded: false, brandName: '', botApp: null, navigate() {}, setTitle() {} },
  };
}
