// Channel connection: connecting and disconnecting channels by the bot, and the search for deleted posts.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Channel } from '../../../../contract/channel.ts';
import { finishDisconnects } from '../../../../server/jobs/finish-disconnects.ts';
import { mediaPath } from '../../../../server/media/files.ts';
import { DATABASE_FILE } from '../../../../server/storage/open.ts';
import { openSqliteDatabase } from '../../../../server/storage/sqlite/connection.ts';
import { loadSamples } from '../../../bot-api/samples.ts';
import { until } from '../../../support/browser.ts';
import { type BotSite, makeBotSite } from './bot-site.ts';

const EVERYTHING = { privateChannels: 'all' } as const;

const shown = async ({ store }: BotSite, id: string): Promise<Channel | undefined> =>
  (await store.channels(EVERYTHING)).find((channel) => channel.id === id);

/** Waits until a channel fulfils the condition. */
const untilChannel = (site: BotSite, id: string, condition: (channel: Channel) => boolean, description: string) =>
  until(async () => {
    const channel = await shown(site, id);
    return channel !== undefined && condition(channel);
  }, description);

const post = (site: BotSite, url: string, headers: { 'access-token': string }, payload: object = {}) =>
  site.app.inject({ method: 'POST', url: `/api/operator/${url}`, headers, payload });

const createTownChannel = ({ telegram }: BotSite) =>
  telegram.channel({ title: 'Town', username: 'town_square', description: 'What happens', others: 9 });

const connected = async (site: BotSite, rights = {}) => {
  const townChannel = createTownChannel(site);
  townChannel.addBot(site.telegram.operator, rights);
  await untilChannel(site, townChannel.bareId, ({ members }) => members === 11, 'the channel is shown with its details');
  return townChannel;
};

describe('the connection of a channel', () => {
  it('shows the channel with all its details from Telegram when an operator adds the bot', async (t) => {
    const site = await makeBotSite(t);
    const headers = await site.signIn(site.telegram.operator.id);
    const { prepared, link } = (await post(site, 'connect', headers)).json();
    assert.match(prepared, /^prepared-/);
    assert.equal(link, 'https://t.me/changer_test_bot?startchannel&admin=manage_chat');
    const [call] = site.telegram.callsOf('savePreparedKeyboardButton');
    assert.equal(Reflect.get(Object(Reflect.get(Object(call?.button), 'request_chat')), 'chat_is_channel'), true);

    const townChannel = createTownChannel(site);
    const { photos } = await loadSamples();
    townChannel.setPhoto(photos[0] ?? []);
    townChannel.addBot(site.telegram.operator, {});
    townChannel.post(site.telegram.make.text('First light'));
    await untilChannel(
      site,
      townChannel.bareId,
      ({ members, latest }) => members === 11 && latest !== undefined,
      'the channel is shown',
    );
    await untilChannel(site, townChannel.bareId, ({ picture }) => picture !== undefined, 'its picture is shown');
    const channel = await shown(site, townChannel.bareId);
    const { picture, latest: _latest, ...rest } = channel ?? {};
    assert.deepEqual(rest, {
      ...{ id: townChannel.bareId, title: 'Town', username: 'town_square', about: 'What happens', members: 11 },
      ...{ source: 'bot', state: 'live', private: false, demo: false },
    });
    assert.deepEqual([picture?.width, picture?.height], [photos[0]?.at(-1)?.width, photos[0]?.at(-1)?.height]);
    assert.equal((await site.app.inject({ url: picture?.src ?? '' })).statusCode, 200);

    const seen = await site.seen(townChannel.bareId, headers);
    assert.deepEqual(
      [seen?.connection?.status, seen?.connection?.rights, seen?.connection?.missingRights, seen?.connection?.connectedBy?.id],
      ['connected', ['can_manage_chat'], [], '100001'],
    );
    assert.deepEqual([seen?.messages, seen?.missing, seen?.parked], [1, 0, 0]);
    const events = await site.store.auditEntries({ limit: 9 });
    assert.deepEqual(
      events.map(({ act, actor, channelTitle }) => [act, actor.id, channelTitle]),
      [['connect', '100001', 'Town']],
    );
  });

  it('connects the channel and writes to the audit log in one transaction', async (t) => {
    const site = await makeBotSite(t);
    const database = await openSqliteDatabase(join(site.dataDir, DATABASE_FILE));
    t.after(() => database.close());
    database.exec("CREATE TRIGGER refuse BEFORE INSERT ON acts BEGIN SELECT RAISE(ABORT, 'refused'); END");
    const townChannel = createTownChannel(site);
    townChannel.addBot(site.telegram.operator, {});
    await until(async () => (await site.store.badUpdates()).length === 1, 'the update is stored as unreadable');
    assert.deepEqual(
      [
        await site.store.connection(townChannel.bareId),
        await shown(site, townChannel.bareId),
        await site.store.auditEntries({ limit: 9 }),
      ],
      [null, undefined, []],
    );
  });

  it('lets the administrators of the channel hide its posts, and requests them from Telegram once for all readers', async (t) => {
    const site = await makeBotSite(t);
    const townChannel = await connected(site);
    townChannel.promote(site.telegram.user(501, 'Ada'), site.telegram.operator);
    const rights = async (id: number) =>
      (await site.app.inject({ url: '/api/operator/rights', headers: await site.signIn(id) })).json();
    assert.deepEqual(await rights(501), { all: false, channels: [townChannel.bareId] });
    assert.deepEqual(await rights(502), { all: false, channels: [] });
    assert.deepEqual(await rights(site.telegram.operator.id), { all: true, channels: [] });
    assert.equal(site.telegram.callsOf('getChatAdministrators').length, 1);
    assert.equal((await site.app.inject('/api/operator/rights')).statusCode, 401);
  });

  it('shows a new title, username and photo, a removed photo, a pin, a lost right and a removal, and keeps the previous addresses valid', async (t) => {
    const site = await makeBotSite(t);
    const townChannel = await connected(site, { can_post_messages: true });
    const { message_id } = townChannel.post(site.telegram.make.text('Pinned'));
    townChannel.rename('The Town');
    await untilChannel(site, townChannel.bareId, ({ title }) => title === 'The Town', 'the title is new');
    townChannel.setUsername('the_town');
    townChannel.post(site.telegram.make.text('By which the username is noticed'));
    await untilChannel(site, townChannel.bareId, ({ username }) => username === 'the_town', 'the username is new');
    assert.equal((await site.app.inject({ url: '/api/channels/town_square' })).json().id, townChannel.bareId);
    townChannel.setPhoto((await loadSamples()).photos[1] ?? []);
    await untilChannel(site, townChannel.bareId, ({ picture }) => picture !== undefined, 'there is a photo');
    townChannel.removePhoto();
    await untilChannel(site, townChannel.bareId, ({ picture }) => picture === undefined, 'the photo is removed');
    townChannel.pin(message_id);
    await untilChannel(site, townChannel.bareId, ({ pinned }) => pinned === message_id, 'it is pinned');
    townChannel.addBot(site.telegram.operator, {});
    const headers = await site.signIn(site.telegram.operator.id);
    const rights = async () => (await site.seen(townChannel.bareId, headers))?.connection?.rights.join();
    await until(async () => (await rights()) === 'can_manage_chat', 'the right is gone');
    const { latest: _latest, pinned: _pinned, ...archive } = (await shown(site, townChannel.bareId)) ?? assert.fail();
    await site.store.putChannel({ ...archive, source: 'export', state: 'archived' });
    await site.store.markDetailsStale(townChannel.bareId);
    await untilChannel(
      site,
      townChannel.bareId,
      ({ source, state }) => source === 'bot' && state === 'live',
      'the import did not archive the channel',
    );
    townChannel.removeBot(site.telegram.operator);
    await untilChannel(site, townChannel.bareId, ({ state, since }) => state === 'paused' && since !== undefined, 'it is paused');
    const disconnected = await site.seen(townChannel.bareId, headers);
    assert.deepEqual([disconnected?.connection?.status, disconnected?.connection?.missingRights], ['lost', ['can_manage_chat']]);
    assert.match(disconnected?.connection?.reason ?? '', /no longer an administrator/);
    assert.ok((await site.store.posts({ limit: 9 }, EVERYTHING)).length > 2);
  });

  it('lists the pinned posts by the update about each pin and by the newest pin that Telegram reports', async (t) => {
    const site = await makeBotSite(t);
    const townChannel = await connected(site);
    const posted = ['One', 'Two', 'Three'].map((text) => townChannel.post(site.telegram.make.text(text)).message_id);
    const [one = 0, two = 0, three = 0] = posted;
    const untilPinned = (ids: readonly number[], description: string) =>
      untilChannel(site, townChannel.bareId, ({ pinnedPosts = [] }) => pinnedPosts.join() === ids.join(), description);
    for (const id of [two, one, three]) townChannel.pin(id);
    // The newest by date comes first, regardless of which one was pinned last.
    await untilPinned([three, two, one], 'all three are pinned');
    site.clock.now += 2000;
    townChannel.unpin(three);
    await site.store.markDetailsStale(townChannel.bareId);
    await untilPinned([two, one], 'the newest is unpinned, and the others are pinned');
    site.clock.now += 2000;
    for (const id of [one, two]) townChannel.unpin(id);
    await site.store.markDetailsStale(townChannel.bareId);
    await untilPinned([], 'nothing is pinned');
    assert.equal((await shown(site, townChannel.bareId))?.pinned, undefined);
  });

  it('hides a channel from anonymous clients at once when it loses its username, even if Telegram fails then', async (t) => {
    const site = await makeBotSite(t);
    const townChannel = await connected(site);
    site.telegram.fail('getChat', { code: 500, description: 'Internal Server Error' }, 100);
    townChannel.setUsername(undefined);
    townChannel.post(site.telegram.make.text('For members'));
    await until(async () => site.telegram.callsOf('getChat').length > 1, 'the details are requested');
    assert.equal((await site.app.inject({ url: `/api/channels/${townChannel.bareId}` })).statusCode, 404);
  });

  it('asks an operator about a channel that another user adds, and shows the posts since then when it is accepted', async (t) => {
    const site = await makeBotSite(t);
    const stranger = site.telegram.user(55, 'Sam');
    const cove = site.telegram.channel({ title: 'Cove', username: 'cove', owner: stranger });
    cove.addBot(stranger);
    cove.post(site.telegram.make.text('Is anybody there?'));
    const headers = await site.signIn(site.telegram.operator.id);
    await until(async () => (await site.seen(cove.bareId, headers))?.parked === 1, 'the channel waits for an operator');
    assert.equal((await site.app.inject({ url: '/api/channels' })).json().items.length, 0);
    assert.equal((await post(site, `channels/${cove.bareId}/accept`, await site.signIn(55))).statusCode, 403);
    assert.equal((await post(site, `channels/${cove.bareId}/accept`, headers)).statusCode, 204);
    assert.equal((await site.app.inject({ url: '/api/channels/cove/posts' })).json().items[0]?.text, 'Is anybody there?');
    assert.equal((await site.seen(cove.bareId, headers))?.parked, 0);
  });

  it('connects a channel by its administrators, or asks an operator, if posts arrive without an update about the bot', async (t) => {
    const site = await makeBotSite(t);
    const { telegram } = site;
    const townChannel = createTownChannel(site);
    const cove = telegram.channel({ title: 'Cove', username: 'cove', owner: telegram.user(55, 'Sam') });
    telegram.updates.hold();
    townChannel.addBot(telegram.operator);
    cove.addBot(telegram.user(55, 'Sam'));
    telegram.updates.release(() => []);
    for (const channel of [townChannel, cove]) channel.post(telegram.make.text('Still here'));
    await until(async () => (await site.store.parkedUpdates(cove.bareId)).length === 1, 'both channels wait for an operator');
    site.clock.now += 10_000;
    await untilChannel(site, townChannel.bareId, ({ latest }) => latest !== undefined, "the operator's channel is followed");
    const headers = await site.signIn(telegram.operator.id);
    await until(
      async () => (await site.seen(cove.bareId, headers))?.connection?.status === 'asking',
      'the channel of Sam waits for an operator',
    );
    assert.equal(await shown(site, cove.bareId), undefined);
  });

  it('leaves a declined channel, and no longer lists it', async (t) => {
    const site = await makeBotSite(t);
    const stranger = site.telegram.user(55, 'Sam');
    const cove = site.telegram.channel({ title: 'Cove', owner: stranger });
    cove.addBot(stranger);
    const headers = await site.signIn(site.telegram.operator.id);
    await until(async () => (await site.seen(cove.bareId, headers)) !== undefined, 'the channel waits for an operator');
    assert.equal((await post(site, `channels/${cove.bareId}/decline`, headers)).statusCode, 204);
    assert.equal(cove.sendsUpdatesToBot, false);
    assert.equal(await site.seen(cove.bareId, headers), undefined);
  });

  it('accepts a channel without an operator if its administrator started in the app, also a channel picked there', async (t) => {
    const site = await makeBotSite(t);
    const ann = site.telegram.user(7, 'Ann');
    const headers = await site.signIn(7);
    await post(site, 'connect', headers);
    const cove = site.telegram.channel({ title: 'Cove', username: 'cove', owner: ann });
    cove.addBot(ann);
    await untilChannel(site, cove.bareId, ({ state }) => state === 'live', 'it is accepted');
    assert.deepEqual(
      (await site.overview(headers)).channels.map(({ channel }) => channel.title),
      ['Cove'],
    );
    assert.deepEqual((await site.overview(await site.signIn(8))).channels, []);

    const bay = site.telegram.channel({ title: 'Bay', username: 'bay', owner: ann });
    site.telegram.updates.hold();
    bay.addBot(ann);
    site.telegram.updates.release(() => []);
    site.telegram.share(bay, 1, ann);
    await untilChannel(site, bay.bareId, ({ state }) => state === 'live', 'the picked channel is connected');
  });

  it('makes the channel of an administrator wait for an operator if only operators may connect channels', async (t) => {
    const site = await makeBotSite(t, { CONNECT: 'operators' });
    const ann = site.telegram.user(7, 'Ann');
    const [headers, operator] = [await site.signIn(7), await site.signIn(site.telegram.operator.id)];
    const rejected = await post(site, 'connect', headers);
    assert.equal(rejected.statusCode, 403);
    assert.match(rejected.json().detail, /^Only operators can connect channels/);
    assert.deepEqual([(await site.overview(headers)).mayConnect, (await site.overview(operator)).mayConnect], [false, true]);
    // A request that was sent before the setting changed is not accepted either.
    await site.store.recordConnectIntent('7', Math.floor(site.clock.now / 1000));
    const cove = site.telegram.channel({ title: 'Cove', username: 'cove', owner: ann });
    cove.addBot(ann);
    await until(
      async () => (await site.seen(cove.bareId, operator))?.connection?.status === 'asking',
      'the channel waits for an operator',
    );
    site.telegram.share(cove, 1, ann);
    assert.equal((await post(site, `channels/${cove.bareId}/accept`, operator)).statusCode, 204);
    await untilChannel(site, cove.bareId, ({ state }) => state === 'live', 'it is accepted by an operator');
  });

  it('returns only a link if Telegram prepares no picker, and 401 to an anonymous client', async (t) => {
    const site = await makeBotSite(t);
    site.telegram.fail('savePreparedKeyboardButton', { code: 400, description: 'Bad Request: USER_ID_INVALID' }, 9);
    const body = (await post(site, 'connect', await site.signIn(5))).json();
    assert.equal(body.prepared, null);
    assert.match(body.link, /^https:/);
    assert.equal((await site.app.inject({ method: 'POST', url: '/api/operator/connect' })).statusCode, 401);
  });
});

describe('the disconnection of a channel', () => {
  it('keeps the stored posts as an archive, and can be undone for ten minutes, with the posts since then', async (t) => {
    const site = await makeBotSite(t);
    const townChannel = await connected(site);
    const headers = await site.signIn(site.telegram.operator.id);
    assert.equal((await post(site, `channels/${townChannel.bareId}/disconnect`, headers, { keep: true })).statusCode, 204);
    assert.equal((await post(site, `channels/${townChannel.bareId}/disconnect`, headers, { keep: true })).statusCode, 409);
    assert.equal((await shown(site, townChannel.bareId))?.state, 'archived');
    const leaving = await site.seen(townChannel.bareId, headers);
    assert.equal(leaving?.connection?.undoUntil, Math.floor(site.clock.now / 1000) + 600);
    townChannel.post(site.telegram.make.text('Meanwhile'));
    await until(async () => (await site.seen(townChannel.bareId, headers))?.parked === 1, 'the channel waits for an operator');
    assert.equal((await post(site, `channels/${townChannel.bareId}/reconnect`, headers)).statusCode, 204);
    assert.equal((await shown(site, townChannel.bareId))?.state, 'live');
    assert.equal((await site.app.inject({ url: '/api/channels/town_square/posts' })).json().items[0]?.text, 'Meanwhile');
  });

  it('hides the channel from readers at once, and deletes it when the time for an undo has passed', async (t) => {
    const site = await makeBotSite(t);
    const townChannel = await connected(site);
    const headers = await site.signIn(site.telegram.operator.id);
    const leaving = () =>
      finishDisconnects({
        ...site,
        now: () => site.clock.now,
        leaveChat: async (id) => site.context.bot?.leaveChannel(id),
        log: assert.fail,
      });
    townChannel.post(site.telegram.make.photo('Goes with it'));
    const photo = async () =>
      (await site.store.posts({ limit: 1, channelIds: [townChannel.bareId] }, EVERYTHING))[0]?.media[0]?.src;
    await until(async () => (await photo()) !== undefined, 'its photo is stored');
    const file = mediaPath(site.dataDir, ((await photo()) ?? '').replace('/media/', ''));
    await post(site, `channels/${townChannel.bareId}/disconnect`, headers, { keep: false });
    assert.equal((await site.app.inject({ url: '/api/channels/town_square' })).statusCode, 404);
    assert.equal(existsSync(file), true, 'an undo would need the file');
    assert.equal((await site.seen(townChannel.bareId, headers))?.connection?.status, 'leaving');
    await leaving();
    assert.equal(townChannel.sendsUpdatesToBot, true);
    site.clock.now += 601_000;
    await leaving();
    assert.equal(townChannel.sendsUpdatesToBot, false);
    assert.equal(existsSync(file), false);
    assert.deepEqual(await site.store.connections(), []);
    assert.equal((await post(site, `channels/${townChannel.bareId}/reconnect`, headers)).statusCode, 404);
    townChannel.addBot(site.telegram.operator);
    await untilChannel(site, townChannel.bareId, ({ state }) => state === 'live', 'it can be connected again');
  });

  it('works the same for a channel of another source', async (t) => {
    const site = await makeBotSite(t);
    await site.store.putChannel({ id: '1', title: 'Old', source: 'export', state: 'archived', private: false, demo: false });
    const headers = await site.signIn(site.telegram.operator.id);
    await post(site, 'channels/1/disconnect', headers, { keep: false });
    assert.equal(await shown(site, '1'), undefined);
    await post(site, 'channels/1/reconnect', headers);
    assert.equal((await shown(site, '1'))?.state, 'archived');
  });
});

describe('the search for deleted posts', () => {
  it('marks the posts that Telegram reports as deleted, changes nothing at Telegram, and records the time of the search', async (t) => {
    const site = await makeBotSite(t);
    const townChannel = await connected(site);
    const ids = Array.from({ length: 7 }, (_, at) => townChannel.post(site.telegram.make.text(`Post ${at}`)).message_id);
    await until(async () => (await site.store.posts({ limit: 20 }, EVERYTHING)).length === 7, 'all posts are stored');
    townChannel.delete(ids[2] ?? 0);
    townChannel.delete(ids[5] ?? 0);
    const headers = await site.signIn(site.telegram.operator.id);
    assert.equal((await post(site, `channels/${townChannel.bareId}/recheck`, headers)).statusCode, 202);
    await until(
      async () => (await site.seen(townChannel.bareId, headers))?.connection?.checkedAt !== undefined,
      'the search is complete',
    );
    const deletedPosts = (await site.store.posts({ limit: 20 }, EVERYTHING)).filter((one) => one.gone !== undefined);
    assert.deepEqual(
      deletedPosts.map(({ id }) => id),
      [ids[5], ids[2]],
    );
    assert.ok(site.telegram.callsOf('setMessageReaction').every(({ reaction }) => JSON.stringify(reaction) === '[]'));
  });
});
