import { version } from '../package.json' with { type: 'json' }

/** Of the SDK: that of its package. Pages read it as `Channel.version`. */
export const VERSION = version
