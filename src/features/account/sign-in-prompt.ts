import { loadMessages, type Messages, str } from '../../i18n/i18n.ts';
import { loadAreaMessages } from '../../i18n/lazy-messages.ts';
import { pickLocale } from '../../i18n/locale.ts';
import { createElement, showDocumentDialog } from './document-dialog.ts';
import type { MovedCounts, SignInRequest } from './sign-in-request.ts';

/**
 * Sign-in prompt: requests consent before a sign-in that erases another reader's data from this device or moves an anonymous
 * reader's data to the account. Resolves with true if the reader agreed.
 */
export async function promptSignIn({ name, replaces, moved }: SignInRequest): Promise<boolean> {
  const locale = pickLocale([document.documentElement.lang]);
  // The question stays English if the translation cannot be fetched.
  await loadAreaMessages(locale, 'account').catch(() => {});
  const messages = await loadMessages(locale);
  const { msg } = messages;
  const content: HTMLElement[] = [];
  if (replaces)
    content.push(
      createElement(
        'p',
        msg(
          'Somebody else signed in on this device before. If you sign in, this device deletes what it stores about them, including changes that were not sent yet. Their account stays.',
        ),
      ),
    );
  const texts = movedTexts(messages, moved);
  if (texts.length > 0) {
    const list = document.createElement('ul');
    Object.assign(list.style, { padding: '0', listStyle: 'none' });
    list.append(...texts.map((text) => createElement('li', text)));
    content.push(
      createElement(
        'p',
        msg('If you sign in, your account takes over what this device stores for a reader who did not sign in:'),
      ),
      list,
    );
  }
  return new Promise((resolve) => {
    let accepted = false;
    showDocumentDialog(messages, {
      title: name === '' ? msg('Sign in?') : msg(str`Sign in as ${name}?`),
      content,
      // The first button has the focus: Enter must not sign in by mistake.
      buttons: [{ text: msg('Not now') }, { text: msg('Sign in'), onPress: () => (accepted = true) }],
      onClose: () => resolve(accepted),
    });
  });
}

/** Returns a text for each kind of moved item. */
function movedTexts({ msg, number }: Messages, { stars, marks, channels, presets }: MovedCounts): string[] {
  return [
    stars > 0 && msg(str`Starred posts: ${number(stars)}`),
    marks > 0 && msg(str`Channels with a reading position: ${number(marks)}`),
    channels > 0 && msg(str`Channels in the line-up: ${number(channels)}`),
    presets > 0 && msg(str`Presets: ${number(presets)}`),
  ].filter((text) => text !== false);
}
