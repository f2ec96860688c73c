// The door of a chunk: what ExtraPart hands on, and nothing else imports.
export { Extra } from '../ExtraContent.tsx';
