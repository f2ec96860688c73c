import { expect } from '@open-wc/testing';
import { ROUTES } from '../../../src/app/router/routes.ts';
import { createOutlet } from '../../../src/app/shell/outlet.ts';

describe('page outlet', () => {
  it('keeps the elements of a page reachable with Tab, and moves the focus to a page that replaces another', () => {
    const root = document.body.appendChild(document.createElement('div'));
    const stage = createOutlet(root);
    const show = (path: string): HTMLElement => {
      const route = ROUTES.find((each) => each.path === path);
      if (route === undefined) throw new Error(`no route ${path}`);
      stage.show({ route, path, params: {} }, { services: {}, locale: 'en', scheme: null }, false);
      const page = root.querySelector<HTMLElement>(route.tag);
      if (page === null) throw new Error(`no ${route.tag}`);
      return page;
    };
    expect(show('/main').hasAttribute('tabindex')).to.equal(false);
    const dial = show('/changer');
    expect(document.activeElement?.localName).to.equal('changer-dial');
    dial.blur();
    expect(dial.hasAttribute('tabindex')).to.equal(false);
    const check = show('/test');
    expect(document.activeElement?.localName).to.equal('changer-self-test');
    check.blur();
    expect(check.hasAttribute('tabindex')).to.equal(false);
    root.remove();
  });
});
