/** Returns those of the keys of posts that are of a channel. */
export const keysOf = (keys: ReadonlySet<string>, channelId: string): string[] =>
  [...keys].filter((key) => key.startsWith(`${channelId}/`));
