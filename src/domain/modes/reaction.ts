import { faulty, read } from '../fault.ts'
import type { Read } from '../fault.ts'

export interface ReactionBody {
  /** Service id, correlation id or upstream id of a message of the same number. */
  readonly messageId: string
  /** Empty takes the reaction back. */
  readonly emoji: string
}

/** A reaction. In an order `messageId` is any id of the message; once accepted it is upstream's. */
export interface ReactionMode {
  readonly mode: 'reaction'
  readonly reaction: ReactionBody & {
    /** Whether the number wrote the message itself; set once it is accepted. */
    readonly fromMe?: boolean
  }
}

/** One pictograph with its style or skin tone; a flag of a region ends in tags. */
const PART = String.raw`\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?[\u{E0020}-\u{E007F}]*`
/** One emoji as people see it (UTS 51): parts joined to one picture, a flag, a keycap, or a tone alone. */
const EMOJI = new RegExp(
  String.raw`^(?:${PART}(?:\u200D${PART})*|\p{Regional_Indicator}{2}|[0-9#*]\uFE0F?\u20E3|\p{Emoji_Modifier})$`,
  'u',
)

/** True for one emoji, however many code points it takes. */
export function isEmoji(text: string): boolean {
  return EMOJI.test(text)
}

/** Reads a reaction ([message-verbs.modes.4]). */
export function readReaction({ messageId, emoji }: ReactionBody): Read<ReactionMode> {
  return emoji === '' || isEmoji(emoji)
    ? read({ mode: 'reaction', reaction: { messageId, emoji } })
    : faulty({ path: 'reaction.emoji', message: 'must be one emoji, or empty to take the reaction back' })
}
