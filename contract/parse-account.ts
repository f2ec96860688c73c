// Response parsers of the account API, for the browser; see parse.ts.
import type * as Api from './api.ts';
import { boolean, list, shape, string } from './shape.ts';

export const sessionPage = shape<Api.SessionPage>({
  items: list(shape<Api.SessionPage['items'][number]>({ id: string, lastUsed: string, current: boolean })),
});
