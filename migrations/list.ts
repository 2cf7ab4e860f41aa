import { Initial } from './0001-initial.ts'

/**
 * Every migration, oldest first, registered by name so that a renamed file or class runs nothing
 * twice. A landed migration is never edited: add another.
 */
export const MIGRATIONS = [
  { name: '0001-initial', class: Initial },
]
