// Entry point of a chunk: `Kind` provides these components. Nothing else may import this module.

export { Sound } from '../../media/AudioPlayer.tsx';
export { LeftOut } from '../../media/LeftOut.tsx';
export { LivePhoto } from '../../media/LivePhoto.tsx';
export { RoundVideo } from '../../media/RoundVideo.tsx';
export { Sticker } from '../../media/Sticker.tsx';
export { Card } from '../AttachmentCard.tsx';
export { WayBack } from '../JumpLink.tsx';
export { Extras, PlaceCard } from '../PostDetails.tsx';
export { Origins } from '../PostOrigin.tsx';
export { ServiceLine } from '../ServiceMessage.tsx';
