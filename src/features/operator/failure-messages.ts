/* Failure messages: translated texts for the failure codes of file downloads and feeds. */
import type { FeedFailure, FileFailure } from '../../../contract/failures.ts';
import { type Messages, str } from '../../i18n/i18n.ts';

interface ReportedFailure<Code> {
  readonly code?: Code | undefined;
  /** HTTP status of the response. */
  readonly status?: number | undefined;
}

/** Returns why files were not fetched, in the reader's language; null if only the server's message explains it. */
export function fileFailureText({ msg }: Messages, { code, status }: ReportedFailure<FileFailure>): string | null {
  switch (code) {
    case 'too-large':
      return msg('Larger than MEDIA_FILE_LIMIT or the limit of feeds');
    case 'too-large-for-bots':
      return msg('Larger than 20 MB: Telegram gives bots no such file. A Bot API server of your own does.');
    case 'unknown':
      return msg('Telegram does not know the file any more');
    case 'unreachable':
      return msg('The server could not be reached');
    case 'broken-off':
      return msg('The download was interrupted');
    case 'no-token':
      return msg('BOT_TOKEN is missing');
    case 'token-refused':
      return msg('Telegram refuses BOT_TOKEN');
    case 'asked-to-wait':
      return msg('Telegram asked to wait');
    case 'disk-full':
      return msg('The disk is full');
    case 'forbidden':
      return msg('Files at its address are not fetched');
    case 'status':
      return status === undefined ? null : msg(str`Its server answers ${status}`);
    case 'share-used':
      return msg('Feeds that readers added have used their share of MEDIA_QUOTA');
    default:
      return null;
  }
}

/** Returns why a feed was not read, in the reader's language; null if only the server's message explains it. */
export function feedFailureText({ msg }: Messages, { code, status }: ReportedFailure<FeedFailure>): string | null {
  switch (code) {
    case 'gone':
      return msg('Its server says that the feed is gone for good. It is not asked again.');
    case 'status':
      return status === undefined ? null : msg(str`Its server answers ${status}`);
    case 'empty':
      return msg('The answer is empty');
    case 'broken':
      return msg('The feed is broken and cannot be read');
    case 'no-feed':
      return msg('This is no RSS, Atom or JSON feed');
    case 'slow-to-read':
      return msg('The feed takes too long to read');
    case 'too-slow':
      return msg('Its server is too slow');
    case 'too-large':
      return msg('The feed is larger than 5 MB');
    case 'torn':
      return msg('The answer was cut off or cannot be decompressed');
    case 'redirects':
      return msg('Too many redirects');
    case 'downgrade':
      return msg('The address redirects from https to http, which is not followed');
    case 'certificate':
      return msg('The certificate of its server is not valid');
    case 'unknown-host':
      return msg('The name of its server is not known');
    case 'forbidden':
      return msg('Files at its address are not fetched');
    case 'headers':
      return msg('Its server does not answer as a web server does');
    case 'unreachable':
      return msg('The server could not be reached');
    case 'type':
      return msg('The answer is another kind of file');
    default:
      return null;
  }
}
