/** Messages to readers: sends one message of the bot, once, and classifies the result. The caller decides about retries. */

import type { InlineKeyboardButton } from '@grammyjs/types';
import { Api, GrammyError, HttpError } from 'grammy';
import type { Config } from '../../config.ts';
import { TELEGRAM_API_ROOT } from './client.ts';

/** A message of plain text with one button, which opens the mini-app or a page. */
export interface ChatMessage {
  readonly text: string;
  readonly button: InlineKeyboardButton | null;
}

/**
 * Result of a call. `limited`: Telegram limits the rate. `unsent`: Telegram did not process the message. `blocked`: the
 * reader blocked the bot, or the chat does not exist. `failed`: rejected, or the result is unknown.
 */
export type SendResult =
  | { readonly type: 'sent' | 'unsent' | 'blocked' | 'failed' }
  | { readonly type: 'limited'; readonly retryAfterMs: number };

/** Sends a message to a reader's chat with the bot. */
export type SendChatMessage = (readerId: string, message: ChatMessage) => Promise<SendResult>;

const TIMEOUT_SECONDS = 15;

/** Errors of connections that were never established. */
const UNSENT_CODES: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

const classifyRejection = ({ error_code: status, parameters }: GrammyError): SendResult => {
  if (status === 429) return { type: 'limited', retryAfterMs: (parameters.retry_after ?? 1) * 1000 };
  // 400: for example "Bad Request: chat not found".
  if (status === 403 || status === 400) return { type: 'blocked' };
  return { type: status >= 500 ? 'unsent' : 'failed' };
};

const isUnsent = (error: unknown): boolean =>
  error instanceof HttpError && error.error instanceof Error && 'code' in error.error && UNSENT_CODES.has(error.error.code);

/** Creates the function that sends messages. Unlike the client of the bot, it never repeats a call. */
export function createMessageSender({ botToken, botApiRoot }: Pick<Config, 'botToken' | 'botApiRoot'>): SendChatMessage {
  const api = new Api(botToken ?? '', { apiRoot: botApiRoot ?? TELEGRAM_API_ROOT, timeoutSeconds: TIMEOUT_SECONDS });
  return async (readerId, { text, button }) => {
    try {
      await api.sendMessage(Number(readerId), text, {
        link_preview_options: { is_disabled: true },
        ...(button && { reply_markup: { inline_keyboard: [[button]] } }),
      });
      return { type: 'sent' };
    } catch (error) {
      if (error instanceof GrammyError) return classifyRejection(error);
      return { type: isUnsent(error) ? 'unsent' : 'failed' };
    }
  };
}
