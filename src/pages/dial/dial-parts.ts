// The door of a chunk: what the dial hands on once its card and its rows stand, and nothing else imports.
export { ConnectOwn } from './ConnectOwn.tsx';
export { DialEmpty } from './DialEmpty.tsx';
export { EditList } from './edit/EditList.tsx';
export { FirstChannels } from './exchange/FirstChannels.tsx';
export { FindField } from './FindField.tsx';
export { LineupNotes } from './LineupNotes.tsx';
export { AllOff, PresetEmpty } from './NothingOn.tsx';
export { OperatorRoom } from './OperatorRoom.tsx';
export { Others } from './others/Others.tsx';
export { Sheets } from './sheets/Sheets.tsx';
