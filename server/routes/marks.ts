import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Mark, MarkPage, UnreadPage } from '../../contract/api.ts';
import type { App } from '../app.ts';
import { audienceOf, markOwn, requireReader, tellOwnPages } from '../auth/who.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../problems.ts';
import { answers, ChannelParams } from './answers.ts';
import { ChangeHeaders, changeKey } from './change-key.ts';
import { findChannel } from './channels.ts';

const UnreadQuerystring = Type.Object({
  marks: Type.Optional(Type.String({ maxLength: 16_000, description: '<channel id>.<message id>, with commas between' })),
});

const ReadBody = Type.Object({
  messageId: Mark.properties.messageId,
  exact: Type.Optional(Type.Boolean({ description: 'Set the mark also backwards: "mark unread"' })),
});

/** How far a reader has read, and what is newer. */
export function markRoutes(app: App, context: Context): void {
  const tags = ['reader'];

  app.get('/api/marks', { schema: { summary: 'Read marks', tags, response: answers(MarkPage) } }, async (request, reply) => {
    markOwn(reply);
    return { items: await ownMarks(request, context), next: null };
  });

  app.get(
    '/api/unread',
    { schema: { summary: 'Unread counts', tags, querystring: UnreadQuerystring, response: answers(UnreadPage) } },
    async (request, reply) => {
      const marks = await marksAsked(request.query.marks, request, reply, context);
      return { items: await context.store.unread(marks, await audienceOf(request)), next: null };
    },
  );

  app.put(
    '/api/channels/:id/read',
    {
      schema: {
        summary: 'Mark as read',
        tags,
        headers: ChangeHeaders,
        params: ChannelParams,
        body: ReadBody,
        response: answers(Mark),
      },
    },
    async (request, reply) => {
      const reader = requireReader(request, reply);
      const channel = await findChannel(request.params.id, await audienceOf(request), context);
      const mark = { channelId: channel.id, messageId: request.body.messageId };
      const moved = await context.store.putMark(reader.id, mark, request.body.exact ?? false, changeKey(request));
      tellOwnPages(request, context);
      return moved;
    },
  );
}

async function ownMarks(request: FastifyRequest, context: Context): Promise<Mark[]> {
  return request.who.type !== 'reader' ? [] : context.store.marks(request.who.reader.id);
}

/** The marks of the address, else the reader's own. */
async function marksAsked(
  asked: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
): Promise<Mark[]> {
  if (asked !== undefined) return asked.split(',').filter(Boolean).map(parseMark);
  markOwn(reply);
  return ownMarks(request, context);
}

function parseMark(text: string): Mark {
  const [, channelId, messageId] = /^([^.]{1,64})\.(\d{1,15})$/.exec(text.trim()) ?? [];
  if (channelId === undefined)
    throw new Refusal(400, `marks holds "${text.slice(0, 80)}"; each should be <channel id>.<message id>.`);
  return { channelId, messageId: Number(messageId) };
}
