/* What a reader with an account takes, and an anonymous one does without: a chunk of its own. */
import { createChannels } from './channels/create.ts';
import { eraseOthers, eraseReader } from './kept/erase.ts';

export const account = { createChannels, eraseOthers, eraseReader };
export type Account = typeof account;
