import { version } from '../package.json' with { type: 'json' }

/** The version in the SDK's package; pages read it as `Channel.version`. */
export const VERSION = version
