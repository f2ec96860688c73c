import { expect } from '@open-wc/testing';
import { postSummary } from '../../../src/features/dial/post-summary.ts';
import { english } from '../../../src/i18n/i18n.ts';
import { post } from '../features/reading-services.ts';
import { POST_KINDS } from './post-kinds.ts';

describe('postSummary', () => {
  it('names the kind of a post that has no text', () => {
    const summaries = [POST_KINDS.checklist, POST_KINDS['giveaway over'], POST_KINDS.story, POST_KINDS.invoice].map((kind) =>
      postSummary(english, post(1, kind)),
    );
    expect(summaries).to.deep.equal(['A checklist', 'The giveaway is over', 'A story', 'An invoice']);
  });
  it('says that a post of an unknown kind cannot be shown', () => {
    for (const extra of [{ type: 'toString' }, { type: 7 }, 'rich', null, undefined])
      expect(postSummary(english, post(1, { text: '', extra }))).to.equal('Something this page cannot show');
  });
});
