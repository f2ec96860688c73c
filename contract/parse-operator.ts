// Response parsers of the operators' API, for the browser; see parse.ts.
import { FEED_FAILURES, type FeedFailure, FILE_FAILURES, type FileFailure } from './failures.ts';
import type * as Operator from './operator.ts';
import { channel, post } from './parse.ts';
import { boolean, lenient, list, nullable, number, oneOf, optional, type Parse, ParseError, shape, string } from './shape.ts';

const optionalString = optional(string);
const optionalNumber = optional(number);

/** Parses an object whose values are numbers. */
const parseCounts: Parse<Record<string, number>> = (raw, path) => {
  if (typeof raw !== 'object' || raw === null) throw new ParseError(`${path} should be an object, not ${typeof raw}`);
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, number(value, `${path}.${name}`)]));
};

const actor = shape<Operator.AuditEntry['actor']>({ id: string, name: optionalString });

const botConnection = shape<Operator.BotConnection>({
  status: oneOf({ connected: 1, lost: 1, asking: 1, leaving: 1 }, 'lost'),
  rights: list(string),
  missingRights: list(string),
  since: number,
  reason: optionalString,
  connectedBy: optional(actor),
  lastUpdate: optionalNumber,
  checkedAt: optionalNumber,
  undoUntil: optionalNumber,
});

/** Creates a parser of a code in the list. A code that a newer server adds becomes `other`. */
const codeOf =
  <Code extends string>(codes: readonly Code[], other: Code): Parse<Code> =>
  (raw, path) => {
    const value = string(raw, path);
    return codes.find((code) => code === value) ?? other;
  };

const fileCode = codeOf<FileFailure>(FILE_FAILURES, 'other');
const feedHealth = shape<Operator.FeedHealth>({
  ...{
    url: string,
    checkedAt: optionalNumber,
    due: optionalNumber,
    failures: number,
    error: optionalString,
    status: optionalNumber,
  },
  code: optional(codeOf<FeedFailure>(FEED_FAILURES, 'other')),
});
const fileReason = shape<Operator.FileReason>({ code: fileCode, reason: string, status: optionalNumber, count: number });
const fileCounts = shape<Operator.FileCounts>({
  ...{ waiting: number, failed: number, reasons: optional(parseCounts) },
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
      connection: optional(botConnection),
      feed: optional(feedHealth),
      messages: number,
      hidden: number,
      missing: number,
      storage: number,
      files: fileCounts,
      parked: optionalNumber,
    }),
  ),
  bot: shape<Operator.BotHealth>({
    type: oneOf({ absent: 1, webhook: 1, polling: 1, failed: 1 }, 'polling'),
    username: optionalString,
    since: optionalNumber,
    lastUpdate: optionalNumber,
    detail: optionalString,
  }),
  mayConnect: boolean,
  storage: shape<Operator.StorageUse>({ used: number, quota: number, free: optionalNumber }),
  queue: fileCounts,
  paused: optionalString,
  pausedCode: optional(fileCode),
  badUpdates: optional(badUpdates),
  notifications: optional(
    shape<Operator.NotificationFigures>({ subscribers: number, devices: number, waiting: number, sent: number, failed: number }),
  ),
});

export const connectResponse = shape<Operator.ConnectResponse>({ prepared: nullable(string), link: string });

const auditActions: Record<Operator.AuditEntry['act'], 1> = {
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

const auditEntry = shape<Operator.AuditEntry>({
  id: number,
  at: number,
  actor,
  act: oneOf(auditActions),
  channelId: optionalString,
  channelTitle: optionalString,
  detail: optionalString,
});

/** Omits audit events of an action that this page does not know. */
const knownAuditEntries: Parse<Operator.AuditEntry[]> = (raw, path) =>
  list(lenient(auditEntry))(raw, path).filter((entry) => entry !== undefined);

const next = nullable(string);
export const auditPage = shape<Operator.AuditPage>({ items: knownAuditEntries, next });
export const hiddenPage = shape<Operator.HiddenPage>({
  items: list(shape<Operator.HiddenPost>({ post, channel, at: number })),
  next,
});
export const gapPage = shape<Operator.GapPage>({
  items: list(shape<Operator.Gap>({ channelId: string, messageId: number, missing: number })),
  next,
});
export const brandResponse = shape<Operator.BrandResponse>({
  name: string,
  color: string,
  logo: optionalString,
  changed: boolean,
});

const siteKey = { id: string, origin: string, channels: list(string), at: number };
export const siteKeyPage = shape<Operator.SiteKeyPage>({ items: list(shape<Operator.SiteKey>(siteKey)), next });
export const madeSiteKey = shape<Operator.CreatedSiteKey>({ ...siteKey, secret: string });
