/**
 * Tells what a grant opens (by whose key, which channels) and until when, unix seconds. It is the server that trusts one or not:
 * here it is only told apart from others, and one that cannot be read is like no other.
 */
export function readGrant(grant: string): { readonly opens: string; readonly until: number } {
  const [key, claims = ''] = grant.split('.');
  try {
    // What only base64url has stands within text: any other character does, for what is read here holds none.
    const read: { channels?: unknown; exp?: unknown } = JSON.parse(atob(claims.replace(/[-_]/g, '+')));
    return { opens: `${key}.${read.channels}`, until: Number(read.exp) };
  } catch {
    return { opens: grant, until: 0 };
  }
}
