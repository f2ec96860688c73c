// Entry point of a chunk: `ExtraPart` provides this component. Nothing else may import this module.
export { Extra } from '../ExtraContent.tsx';
