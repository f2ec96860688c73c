// Entry point of a chunk: `RareChunk` provides these components. Nothing else may import this module.

export { AudioPlayer } from '../../media/AudioPlayer.tsx';
export { OmittedFiles } from '../../media/LeftOut.tsx';
export { LivePhoto } from '../../media/LivePhoto.tsx';
export { RoundVideo } from '../../media/RoundVideo.tsx';
export { Sticker } from '../../media/Sticker.tsx';
export { AttachmentCard } from '../AttachmentCard.tsx';
export { JumpBackButton } from '../JumpLink.tsx';
export { PostDetails, VenueCard } from '../PostDetails.tsx';
export { PostOrigin } from '../PostOrigin.tsx';
export { ServiceMessage } from '../ServiceMessage.tsx';
