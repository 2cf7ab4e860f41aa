import { Initial } from './0001-initial.ts'
import { Webhooks } from './0002-webhooks.ts'
import { Official } from './0003-official.ts'
import { Messages } from './0004-messages.ts'

/**
 * Every migration, oldest first, registered by name so that a renamed file or class runs nothing
 * twice. A landed migration is never edited: add another.
 */
export const MIGRATIONS = [
  { name: '0001-initial', class: Initial },
  { name: '0002-webhooks', class: Webhooks },
  { name: '0003-official', class: Official },
  { name: '0004-messages', class: Messages },
]
