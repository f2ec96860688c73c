// Response parsers of the operators' API, for the browser; see parse.ts.
import { FEED_FAILURES, type FeedFailure, FILE_FAILURES, type FileFailure } from './failures.ts';
import type * as Operator from './operator.ts';
import { channel, post } from './parse.ts';
import { boolean, known, list, nullable, number, optional, type Parse, ParseError, shape, string, word } from './shape.ts';

const text = optional(string);
const count = optional(number);

const counts: Parse<Record<string, number>> = (raw, at) => {
  if (typeof raw !== 'object' || raw === null) throw new ParseError(`${at} should be an object, not ${typeof raw}`);
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, number(value, `${at}.${name}`)]));
};

const someone = shape<Operator.Act['actor']>({ id: string, name: text });

const connection = shape<Operator.Connection>({
  status: word({ connected: 1, lost: 1, asking: 1, leaving: 1 }, 'lost'),
  rights: list(string),
  missingRights: list(string),
  since: number,
  reason: text,
  connectedBy: optional(someone),
  lastUpdate: count,
  checkedAt: count,
  undoUntil: count,
});

/** Parses a code of the list; a code that was added later becomes `other`. */
const codeOf =
  <Code extends string>(codes: readonly Code[], other: Code): Parse<Code> =>
  (raw, at) => {
    const told = string(raw, at);
    return codes.find((code) => code === told) ?? other;
  };

const fileCode = codeOf<FileFailure>(FILE_FAILURES, 'other');
const feed = shape<Operator.FeedHealth>({
  ...{ url: string, checkedAt: count, due: count, failures: number, error: text, status: count },
  code: optional(codeOf<FeedFailure>(FEED_FAILURES, 'other')),
});
const fileReason = shape<Operator.FileReason>({ code: fileCode, reason: string, status: count, count: number });
const files = shape<Operator.FileCounts>({
  ...{ waiting: number, failed: number, reasons: optional(counts) },
  failures: optional(list(fileReason)),
});
const badUpdates = shape<Operator.BadUpdates>({
  count: number,
  newest: list(shape<Operator.BadUpdates['newest'][number]>({ updateId: number, reason: string })),
});

export const rights = shape<Operator.Rights>({ all: boolean, channels: list(string) });

export const overview = shape<Operator.OperatorOverview>({
  channels: list(
    shape<Operator.OperatorChannel>({
      channel,
      connection: optional(connection),
      feed: optional(feed),
      messages: number,
      hidden: number,
      missing: number,
      storage: number,
      files,
      parked: count,
    }),
  ),
  bot: shape<Operator.BotHealth>({
    type: word({ absent: 1, webhook: 1, polling: 1, failed: 1 }, 'polling'),
    username: text,
    since: count,
    lastUpdate: count,
    detail: text,
  }),
  mayConnect: boolean,
  storage: shape<Operator.StorageUse>({ used: number, quota: number, free: count }),
  queue: files,
  paused: text,
  pausedCode: optional(fileCode),
  badUpdates: optional(badUpdates),
});

export const connectAnswer = shape<Operator.ConnectAnswer>({ prepared: nullable(string), link: string });

const acts: Record<Operator.Act['act'], 1> = {
  connect: 1,
  disconnect: 1,
  reconnect: 1,
  accept: 1,
  decline: 1,
  recheck: 1,
  'add-feed': 1,
  hide: 1,
  restore: 1,
  brand: 1,
  'brand-reset': 1,
  import: 1,
  'site-key': 1,
  'site-key-revoke': 1,
  'remove-demo': 1,
};

const act = shape<Operator.Act>({
  id: number,
  at: number,
  actor: someone,
  act: word(acts),
  channelId: text,
  channelTitle: text,
  detail: text,
});

/** Omits audit events of an action that this page does not know. */
const knownActs: Parse<Operator.Act[]> = (raw, at) => list(known(act))(raw, at).filter((each) => each !== undefined);

const next = nullable(string);
export const actPage = shape<Operator.ActPage>({ items: knownActs, next });
export const hiddenPage = shape<Operator.HiddenPage>({
  items: list(shape<Operator.HiddenPost>({ post, channel, at: number })),
  next,
});
export const gapPage = shape<Operator.GapPage>({
  items: list(shape<Operator.Gap>({ channelId: string, messageId: number, missing: number })),
  next,
});
export const brandAnswer = shape<Operator.BrandAnswer>({ name: string, color: string, logo: text, changed: boolean });

const siteKey = { id: string, origin: string, channels: list(string), at: number };
export const siteKeyPage = shape<Operator.SiteKeyPage>({ items: list(shape<Operator.SiteKey>(siteKey)), next });
export const madeSiteKey = shape<Operator.MadeSiteKey>({ ...siteKey, secret: string });
