import { type Static, Type } from 'typebox';

const KEY = 'idempotency-key';

/** What a change may carry; see Store. */
export const ChangeHeaders = Type.Object({
  [KEY]: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'A name of this change: sent again under it, it is not made again' }),
  ),
});

/** The name that a device gave its change. */
export const changeKey = ({ headers }: { readonly headers: Static<typeof ChangeHeaders> }): string | undefined => headers[KEY];
