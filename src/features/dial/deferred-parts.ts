// Deferred parts: entry module of the chunk with the parts of the dial that load after its card and its rows are mounted.
// Nothing else imports it.

export { FirstChannels } from '../import-export/FirstChannels.tsx';
export { ConnectOwn } from '../operator/ConnectOwnLink.tsx';
export { OperatorRoom } from '../operator/OperatorLoader.tsx';
export { AllOff, DialEmpty, PresetEmpty } from './DialEmptyStates.tsx';
export { Sheets } from './DialSheets.tsx';
export { EditList } from './edit/EditList.tsx';
export { LineupNotes } from './LineupNotices.tsx';
export { FindField } from './RowSearchField.tsx';
export { Others } from './unfollowed/Unfollowed.tsx';
