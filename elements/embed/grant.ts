/**
 * Grant parser: returns the access that a site's token grants, and its expiry (`expiresAt`, unix seconds). The token is
 * a JWT, `header.claims.signature` (server/auth/site-grants.ts). Grants with an equal `access` have the same key and
 * the same channels. A grant that cannot be parsed is its own `access`, so that it equals no other. Only the server
 * decides whether to trust a grant.
 */
export function parseGrant(grant: string): { readonly access: string; readonly expiresAt: number } {
  // The header names the key.
  const [header, encodedClaims = ''] = grant.split('.');
  try {
    // The claims are base64url, but `atob` knows base64 only. The two characters that differ (- and _) occur only
    // inside text values, and not in the fields read here. So any other character can replace them.
    const claims: { channels?: unknown; exp?: unknown } = JSON.parse(atob(encodedClaims.replace(/[-_]/g, '+')));
    return { access: `${header}.${claims.channels}`, expiresAt: Number(claims.exp) };
  } catch {
    return { access: grant, expiresAt: 0 };
  }
}
