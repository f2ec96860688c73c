/** What of a channel is shown; the query of its address. */
export interface View {
  readonly q: string;
  readonly media: boolean;
  /** The message that the address names. */
  readonly post: number | null;
}

export function readView(params: Readonly<Record<string, string>>): View {
  const post = /^[1-9]\d{0,15}$/.test(params.post ?? '') ? Number(params.post) : null;
  return { q: params.q?.trim() ?? '', media: params.media === '1', post };
}

/** The query of a view, in the words of channelPath; undefined where it is the plain page. */
export function viewQuery({ q, media, post }: View): Record<string, string> | undefined {
  const query = { ...(post !== null && { post: String(post) }), ...(q !== '' && { q }), ...(media && { media: '1' }) };
  return Object.keys(query).length === 0 ? undefined : query;
}
