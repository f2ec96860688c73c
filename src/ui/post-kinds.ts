// The door of a chunk: what Kind hands on, and nothing else imports.
export { LeftOut } from './media/LeftOut.tsx';
export { LivePhoto } from './media/LivePhoto.tsx';
export { RoundVideo } from './media/RoundVideo.tsx';
export { Sound } from './media/Sound.tsx';
export { Sticker } from './media/Sticker.tsx';
export { Card } from './post/Card.tsx';
export { Extras, PlaceCard } from './post/Extras.tsx';
export { WayBack } from './post/JumpLink.tsx';
export { Origins } from './post/Origins.tsx';
export { ServiceLine } from './post/ServiceLine.tsx';
