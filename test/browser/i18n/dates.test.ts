import { expect } from '@open-wc/testing';
import { english } from '../../../src/i18n/i18n.ts';

const MORNING = new Date(2026, 10, 20, 6, 54).getTime() / 1000;
const LATER = new Date(2026, 10, 22, 12).getTime();

describe('dates', () => {
  afterEach(() => {
    // The original property is defined on the prototype.
    Reflect.deleteProperty(navigator, 'languages');
  });
  const formatted = (...languages: readonly string[]): string => {
    Object.defineProperty(navigator, 'languages', { value: languages, configurable: true });
    return english.relativeDate(MORNING, LATER).replace(/\s/g, ' ');
  };

  it('are formatted for the locale of the user', () => {
    expect(formatted('en-US')).to.equal('November 20, 6:54 AM');
    expect(formatted('en-GB')).to.equal('20 November, 06:54');
  });
  it('are formatted in the language of the page when the browser has another language', () => {
    expect(formatted('fr-FR', 'de')).to.equal('November 20, 6:54 AM');
  });
});
