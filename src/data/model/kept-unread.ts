/** Returns the post keys that belong to a channel. */
export const postKeysOfChannel = (keys: ReadonlySet<string>, channelId: string): string[] =>
  [...keys].filter((key) => key.startsWith(`${channelId}/`));
