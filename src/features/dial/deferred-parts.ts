// Lazy chunk of the dial: entry module of the components that load after the card and the rows are mounted.
// Only use-deferred-parts.ts imports it, with import().

export { FirstChannels } from '../import-export/FirstChannels.tsx';
export { ConnectOwnLink } from '../operator/ConnectOwnLink.tsx';
export { OperatorPage } from '../operator/OperatorPage.tsx';
export { NoChannels, NoCurrentChannel } from './DialEmptyStates.tsx';
export { DialSheets } from './DialSheets.tsx';
export { EditList } from './edit/EditList.tsx';
export { LineupNotices, SavedTime } from './LineupNotices.tsx';
export { RowSearchField } from './RowSearchField.tsx';
export { Unfollowed } from './unfollowed/Unfollowed.tsx';
