import { version } from '../package.json' with { type: 'json' }

/** Of the SDK; frames are told it with the first message. */
export const VERSION = version
