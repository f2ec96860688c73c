// Entry point of a chunk: `ExtraChunk` provides this component. Nothing else may import this module.
export { ExtraContent } from '../ExtraContent.tsx';
