import { expect, waitUntil } from '@open-wc/testing';
import { createRoot } from 'react-dom/client';
import { Later } from '../../src/pages/layout/Later.tsx';
import { ServicesContext } from '../../src/pages/services.ts';
import { type Stub, stubServices } from './dial-services.ts';

/** The frame loads this when the page has come to rest; here it stands at once. */
function stand(services: Stub, path: string) {
  const asked: boolean[] = [];
  const host = { ...services.host, confirmClosing: (confirm: boolean) => void asked.push(confirm) };
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const show = (at: string) =>
    root.render(
      <ServicesContext value={{ ...services, host }}>
        <Later path={at} />
      </ServicesContext>,
    );
  show(path);
  const end = () => {
    root.unmount();
    place.remove();
  };
  return { asked, place, show, end };
}

const press = (target: EventTarget = document.body): boolean =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true, composed: true, cancelable: true }));
const titleOf = (place: HTMLElement): string | undefined => place.querySelector('dialog[open] h2')?.textContent;

describe('Later', () => {
  it('has the container ask before it closes, only while something is unsaved', async () => {
    const services = stubServices();
    const { asked, end } = stand(services, '/main');
    services.cells.saving.set({ type: 'waiting', count: 1 });
    await waitUntil(() => String(asked) === 'true');
    services.cells.saving.set({ type: 'waiting', count: 2 });
    services.cells.saving.set({ type: 'refused', message: 'no' });
    services.cells.saving.set({ type: 'saved' });
    await waitUntil(() => String(asked) === 'true,false');
    services.cells.saving.set({ type: 'waiting', count: 1 });
    await waitUntil(() => asked.length === 3);
    end();
    await waitUntil(() => String(asked) === 'true,false,true,false');
  });

  it('tells the keys of a page at the press of ?, those of posts where there are posts', async () => {
    const { place, show, end } = stand(stubServices(), '/main');
    await waitUntil(() => !press() && titleOf(place) === 'Keys of this page');
    expect(place.textContent).to.contain('Page Down');
    place.querySelector<HTMLElement>('dialog button')?.click();
    await waitUntil(() => titleOf(place) === undefined);
    show('/test');
    await waitUntil(() => !press() && titleOf(place) !== undefined);
    expect(place.textContent).not.to.contain('Next post');
    end();
  });

  it('leaves ? to the dial, to fields, and to readers who switched single keys off', async () => {
    const { place, show, end } = stand(stubServices(), '/changer?n=2');
    await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
    expect(press()).to.equal(true);
    show('/main');
    const field = place.appendChild(document.createElement('input'));
    expect(press(field)).to.equal(true);
    await waitUntil(() => !press() && titleOf(place) !== undefined);
    place.querySelector<HTMLInputElement>('[role=switch]')?.click();
    place.querySelector<HTMLElement>('dialog button')?.click();
    await waitUntil(() => titleOf(place) === undefined);
    expect(press()).to.equal(true);
    localStorage.removeItem('channel-changer.single-keys');
    end();
  });
});
