import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_NOTIFICATION_SETTINGS, type NotificationSettings } from '../../../contract/notifications.ts';
import { deliveryTime, isTimeZone } from '../../../server/notifications/schedule.ts';

const at = (settings: Partial<NotificationSettings>, time: string, now = time): string =>
  new Date(deliveryTime({ ...DEFAULT_NOTIFICATION_SETTINGS, ...settings }, Date.parse(time), Date.parse(now))).toISOString();

describe('deliveryTime', () => {
  it('is now outside of quiet hours, and else their end', () => {
    const quiet = { from: 22 * 60, to: 7 * 60 };
    assert.equal(at({ quiet }, '2030-01-07T12:00:30Z'), '2030-01-07T12:00:30.000Z');
    assert.equal(at({ quiet }, '2030-01-07T22:00:00Z'), '2030-01-08T07:00:00.000Z');
    assert.equal(at({ quiet }, '2030-01-07T06:59:59Z'), '2030-01-07T07:00:00.000Z');
    assert.equal(at({ quiet, timeZone: 'Asia/Kolkata' }, '2030-01-07T17:00:00Z'), '2030-01-08T01:30:00.000Z');
  });

  it('is the next full hour in the time zone for an hourly digest', () => {
    assert.equal(at({ delivery: 'hourly' }, '2030-01-07T23:10:00Z'), '2030-01-08T00:00:00.000Z');
    assert.equal(at({ delivery: 'hourly', timeZone: 'Asia/Kolkata' }, '2030-01-07T12:10:00Z'), '2030-01-07T12:30:00.000Z');
    assert.equal(at({ delivery: 'hourly' }, '2030-01-07T12:10:00Z', '2030-01-07T13:05:00Z'), '2030-01-07T13:05:00.000Z');
  });

  it('is the time of the day for a daily digest, also when the clock was changed in between', () => {
    const berlin = { delivery: 'daily', dailyAt: 9 * 60, timeZone: 'Europe/Berlin' } as const;
    assert.equal(at(berlin, '2030-01-07T07:59:00Z'), '2030-01-07T08:00:00.000Z');
    assert.equal(at(berlin, '2030-01-07T08:00:00Z'), '2030-01-08T08:00:00.000Z');
    assert.equal(at(berlin, '2030-03-30T12:00:00Z'), '2030-03-31T07:00:00.000Z');
    assert.equal(at(berlin, '2030-10-26T12:00:00Z'), '2030-10-27T08:00:00.000Z');
  });
});

describe('isTimeZone', () => {
  it('knows the names of time zones', () => {
    assert.deepEqual(['UTC', 'Europe/Moscow', 'Mars/Base', ''].map(isTimeZone), [true, true, false, false]);
  });
});
