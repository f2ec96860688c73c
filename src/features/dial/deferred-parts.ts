// The door of a chunk: what the dial hands on once its card and its rows stand, and nothing else imports.

export { FirstChannels } from '../import-export/FirstChannels.tsx';
export { ConnectOwn } from '../operator/ConnectOwnLink.tsx';
export { OperatorRoom } from '../operator/OperatorLoader.tsx';
export { AllOff, DialEmpty, PresetEmpty } from './DialEmptyStates.tsx';
export { Sheets } from './DialSheets.tsx';
export { EditList } from './edit/EditList.tsx';
export { LineupNotes } from './LineupNotices.tsx';
export { FindField } from './RowSearchField.tsx';
export { Others } from './unfollowed/Unfollowed.tsx';
