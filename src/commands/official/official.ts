import type { TenantId } from '../../domain/ids.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { CredentialsChange } from '../../ports/stores/official-store.ts'
import { workOffAccount } from './account-changes.ts'
import { enableCalling, enableDueCalling } from './enable-calling.ts'
import type { EnableCallingInput } from './enable-calling.ts'
import { handOver } from './hand-over.ts'
import type { OfficialPorts } from './ports.ts'
import { readMedia } from './read-media.ts'
import type { ReadMediaInput } from './read-media.ts'
import { refresh } from './refresh.ts'
import { replaceCredentials } from './replace-credentials.ts'
import { createTargets } from './targets.ts'

/** Everything that can be done with accounts of the official platform and their numbers. */
export type OfficialCommands = ReturnType<typeof createOfficialAccounts>

/** Makes what can be done with accounts and their numbers, once a node: what verifies webhooks is remembered by it. */
export function createOfficialAccounts(ports: OfficialPorts) {
  const targets = createTargets(ports)
  return {
    refresh: (number: ChannelNumber) => refresh(ports, number),
    readMedia: (input: ReadMediaInput) => readMedia(ports, input),
    enableCalling: (input: EnableCallingInput) => enableCalling(ports, input),
    replaceCredentials: (number: ChannelNumber, change: CredentialsChange) => replaceCredentials(ports, number, change),
    handOver: (tenantId: TenantId, accountId: string) => handOver(ports, tenantId, accountId),
    /** Whose a webhook is, and what it is verified with; null of an id that nobody has. */
    targetOf: (id: string) => targets.find(id),
    /** A chore. */
    enableDue: (isWanted: () => boolean) => enableDueCalling(ports, isWanted),
    /** A chore, which answers whether there may be more. */
    workOff: (isWanted: () => boolean) => workOffAccount(ports, isWanted),
  }
}
