// Deferred parts: entry module of the chunk with the parts of the dial that load after its card and its rows are mounted.
// Nothing else imports it.

export { FirstChannels } from '../import-export/FirstChannels.tsx';
export { ConnectOwnLink } from '../operator/ConnectOwnLink.tsx';
export { OperatorPage } from '../operator/OperatorPage.tsx';
export { NoChannels, NoCurrentChannel } from './DialEmptyStates.tsx';
export { DialSheets } from './DialSheets.tsx';
export { EditList } from './edit/EditList.tsx';
export { LineupNotices } from './LineupNotices.tsx';
export { RowSearchField } from './RowSearchField.tsx';
export { Unfollowed } from './unfollowed/Unfollowed.tsx';
