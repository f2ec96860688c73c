/**
 * Grant parser (site access token): returns the access that a grant gives (whose key, which channels) and its expiry in unix
 * seconds. Only the server decides whether to trust a grant. This function only distinguishes grants from each other; one that
 * cannot be parsed equals no other.
 */
export function parseGrant(grant: string): { readonly opens: string; readonly until: number } {
  const [key, claims = ''] = grant.split('.');
  try {
    // The characters that only base64url has occur only inside text values. Any other character can replace them, because the
    // fields read here do not contain them.
    const read: { channels?: unknown; exp?: unknown } = JSON.parse(atob(claims.replace(/[-_]/g, '+')));
    return { opens: `${key}.${read.channels}`, until: Number(read.exp) };
  } catch {
    return { opens: grant, until: 0 };
  }
}
