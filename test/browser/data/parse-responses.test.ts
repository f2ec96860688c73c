// Parser of API responses in the browser.

import { expect } from '@open-wc/testing';
import * as parse from '../../../contract/parse.ts';
import { makeChannel, makePost } from './fake-server.ts';

const complete = {
  ...makePost('1', 7),
  edited: 5,
  entities: [{ type: 'text_link', offset: 0, length: 2, url: 'https://example.org' }],
  media: [{ type: 'photo', messageId: 7, src: '/media/a', width: 10, height: 5, poster: { src: '/b', width: 1, height: 1 } }],
  reactions: [{ emoji: '👍', count: 3 }],
  author: 'Ann',
  reply: { id: 3, excerpt: 'Before' },
  forward: { name: null },
  poll: { question: 'Which?', closed: false, options: [{ text: 'This', votes: 1 }] },
  place: { latitude: 1.5, longitude: -2 },
  contact: { name: 'Bo' },
  service: { action: 'renamed', title: 'New' },
  other: 'giveaway',
  pinned: true,
  link: 'https://t.me/a/7',
};

describe('parse', () => {
  it('returns a post with every field unchanged', () => {
    expect(parse.post(complete, 'post')).to.deep.equal(complete);
  });

  it('reads the matches of a search, and ignores malformed ones', () => {
    const page = { items: [], next: null, previous: null, channels: [] };
    const hits = { '1/7': [0, 3, 8, 11] };
    expect(parse.pagedPosts({ ...page, hits }, 'page')).to.deep.equal({ ...page, hits });
    for (const incomplete of ['hits', { '1/7': 'all' }, { '1/7': [null] }])
      expect(parse.pagedPosts({ ...page, hits: incomplete }, 'page')).to.deep.equal(page);
  });

  it('drops fields of a newer server, and maps unknown enum values to known ones', () => {
    const raw = {
      ...makePost('1', 7),
      mood: 'good',
      entities: [{ type: 'sparkle', offset: 0, length: 1 }],
      media: [{ type: 'hologram', messageId: 7 }],
      service: { action: 'danced' },
    };
    const post = parse.post(raw, 'post');
    expect(post).not.to.have.property('mood');
    expect(post.entities[0]?.type).to.equal('bold');
    expect(post.media[0]?.type).to.equal('document');
    expect(post).not.to.have.property('service');
  });

  it('reads null in an optional field as absent', () => {
    expect(parse.channel({ ...makeChannel('1'), about: null }, 'channel')).not.to.have.property('about');
  });

  it('rejects a response that lacks a field, and names the path of the field', () => {
    const page = {
      items: [makePost('1', 7), { ...makePost('1', 8), date: undefined }],
      next: null,
      previous: null,
      channels: [],
    };
    expect(() => parse.pagedPosts(page, 'page')).to.throw(
      parse.ParseError,
      'page.items[1].date should be a number, not undefined',
    );
  });

  it('rejects a value that is not an object, a list or a number where one is required', () => {
    for (const raw of [null, 'x', [], 3]) expect(() => parse.me(raw, 'me')).to.throw(parse.ParseError);
    expect(() => parse.pagedChannels({ items: {}, next: null }, 'page')).to.throw('page.items should be a list');
    expect(() => parse.readMarker({ channelId: '1', messageId: Number.NaN }, 'mark')).to.throw(parse.ParseError);
  });
});
