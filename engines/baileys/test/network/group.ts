import type { Account } from './directory.ts'

export type Role = 'member' | 'admin' | 'superadmin'

export type Group = {
  id: string
  subject: string
  description: { id: string; text: string } | undefined
  createdAt: string
  owner: Account
  members: Map<Account, Role>
  /** Members see each other's hidden identifiers (addressing mode `lid`), else phone numbers. */
  hidden: boolean
  /** Present settings: announcement, locked, ephemeral... */
  settings: Set<string>
  invite: string
}
