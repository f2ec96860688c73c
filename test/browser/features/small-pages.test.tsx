import { expect } from '@open-wc/testing';
import '../../../elements/changer-close-webapp.ts';
import '../../../elements/changer-not-found.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import { stubServices } from './dial-services.ts';

let mounted: ChangerElement | null = null;
afterEach(() => mounted?.remove());

function mount(tag: 'changer-not-found' | 'changer-close-webapp'): ShadowRoot {
  mounted = document.createElement(tag);
  mounted.services = stubServices();
  document.body.append(mounted);
  if (mounted.shadowRoot === null) throw new Error('no shadow root');
  return mounted.shadowRoot;
}

const links = (root: ShadowRoot): (string | null)[] => [...root.querySelectorAll('a')].map((link) => link.getAttribute('href'));

describe('changer-not-found', () => {
  it('says that there is no page here and links to the feed and the dial', async () => {
    const root = mount('changer-not-found');
    expect(root.querySelectorAll('h1').length).to.equal(1);
    expect(root.textContent).to.contain('There is no page at this address.');
    expect(links(root)).to.deep.equal(['/main', '/changer']);
    await expect(root.host).to.be.accessible();
  });
});

describe('changer-close-webapp', () => {
  it('says that the window may be closed and links to the feed', async () => {
    const root = mount('changer-close-webapp');
    expect(root.querySelector('h1')?.textContent).to.equal('You can close this window');
    expect(links(root)).to.deep.equal(['/main']);
    await expect(root.host).to.be.accessible();
  });
});
