/** Message fields: the role of each field of a Bot API message, so that no new field is overlooked. */
import type { Message } from '@grammyjs/types';

/**
 * Role of each field of a Bot API message.
 * - `read`: its data is part of the post.
 * - `idle`: not relevant to readers, so it is ignored.
 * - `kept`: not shown to readers, so the raw message is stored.
 * - `content`: content of the post (content.ts).
 * - `service`: a service message about the channel that is shown.
 * - `quiet`: a service message that is of no use to readers. It is not shown, but its id is marked as known.
 */
export type FieldRole = 'read' | 'idle' | 'kept' | 'content' | 'service' | 'quiet';

/** Roles of all fields that a message may have. A new field is a type error until its role is decided. */
const FIELD_ROLES = {
  message_id: 'read',
  chat: 'read',
  date: 'read',
  edit_date: 'read',
  media_group_id: 'read',
  author_signature: 'read',
  forward_origin: 'read',
  reply_to_message: 'read',
  external_reply: 'read',
  quote: 'read',
  has_media_spoiler: 'read',
  entities: 'read',
  caption_entities: 'read',

  message_thread_id: 'idle',
  from: 'idle',
  sender_chat: 'idle',
  sender_tag: 'idle',
  receiver_user: 'idle',
  ephemeral_message_id: 'idle',
  guest_query_id: 'idle',
  business_connection_id: 'idle',
  is_topic_message: 'idle',
  direct_messages_topic: 'idle',
  sender_boost_count: 'idle',
  sender_business_bot: 'idle',
  is_automatic_forward: 'idle',
  is_paid_post: 'idle',
  via_bot: 'idle',
  guest_bot_caller_user: 'idle',
  guest_bot_caller_chat: 'idle',
  has_protected_content: 'idle',
  show_caption_above_media: 'idle',
  is_from_offline: 'idle',
  link_preview_options: 'idle',
  effect_id: 'idle',
  paid_star_count: 'idle',

  reply_to_checklist_task_id: 'kept',
  reply_to_poll_option_id: 'kept',
  reply_to_story: 'kept',
  reply_markup: 'kept',
  suggested_post_info: 'kept',

  text: 'content',
  caption: 'content',
  rich_message: 'content',
  animation: 'content',
  audio: 'content',
  document: 'content',
  live_photo: 'content',
  paid_media: 'content',
  photo: 'content',
  sticker: 'content',
  story: 'content',
  video: 'content',
  video_note: 'content',
  voice: 'content',
  contact: 'content',
  dice: 'content',
  game: 'content',
  poll: 'content',
  venue: 'content',
  location: 'content',
  checklist: 'content',
  invoice: 'content',
  giveaway: 'content',
  giveaway_winners: 'content',
  giveaway_completed: 'content',

  channel_chat_created: 'service',
  new_chat_title: 'service',
  new_chat_photo: 'service',
  pinned_message: 'service',

  checklist_tasks_done: 'quiet',
  checklist_tasks_added: 'quiet',
  community_chat_added: 'quiet',
  community_chat_removed: 'quiet',
  community_chat_joined: 'quiet',
  suggested_post_approved: 'quiet',
  suggested_post_approval_failed: 'quiet',
  suggested_post_declined: 'quiet',
  suggested_post_paid: 'quiet',
  suggested_post_refunded: 'quiet',
  chat_owner_left: 'quiet',
  chat_owner_changed: 'quiet',
  new_chat_members: 'quiet',
  left_chat_member: 'quiet',
  delete_chat_photo: 'quiet',
  group_chat_created: 'quiet',
  supergroup_chat_created: 'quiet',
  managed_bot_created: 'quiet',
  poll_option_added: 'quiet',
  poll_option_deleted: 'quiet',
  message_auto_delete_timer_changed: 'quiet',
  migrate_to_chat_id: 'quiet',
  migrate_from_chat_id: 'quiet',
  successful_payment: 'quiet',
  refunded_payment: 'quiet',
  users_shared: 'quiet',
  chat_shared: 'quiet',
  connected_website: 'quiet',
  write_access_allowed: 'quiet',
  passport_data: 'quiet',
  proximity_alert_triggered: 'quiet',
  boost_added: 'quiet',
  chat_background_set: 'quiet',
  forum_topic_created: 'quiet',
  forum_topic_edited: 'quiet',
  forum_topic_closed: 'quiet',
  forum_topic_reopened: 'quiet',
  general_forum_topic_hidden: 'quiet',
  general_forum_topic_unhidden: 'quiet',
  giveaway_created: 'quiet',
  gift: 'quiet',
  gift_upgrade_sent: 'quiet',
  unique_gift: 'quiet',
  paid_message_price_changed: 'quiet',
  direct_message_price_changed: 'quiet',
  video_chat_scheduled: 'quiet',
  video_chat_started: 'quiet',
  video_chat_ended: 'quiet',
  video_chat_participants_invited: 'quiet',
  web_app_data: 'quiet',
} as const satisfies Readonly<Record<keyof Message, FieldRole>>;

type Fields = typeof FIELD_ROLES;

/** The fields with one role. */
export type FieldsOf<Role extends FieldRole> = {
  [Field in keyof Fields]: Fields[Field] extends Role ? Field : never;
}[keyof Fields];

const isField = (name: string): name is keyof Fields => Object.hasOwn(FIELD_ROLES, name);

/** Returns the role of a field; null for a field that this code does not know. */
export const fieldRoleOf = (name: string): FieldRole | null => (isField(name) ? FIELD_ROLES[name] : null);
