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

/** The commands of accounts of the official platform and their numbers. */
export type OfficialCommands = ReturnType<typeof createOfficialAccounts>

/** Makes the commands of accounts and their numbers, once a node: it remembers what webhooks are verified with. */
export function createOfficialAccounts(ports: OfficialPorts) {
  const targets = createTargets(ports)
  return {
    refresh: (number: ChannelNumber) => refresh(ports, number),
    readMedia: (input: ReadMediaInput) => readMedia(ports, input),
    enableCalling: (input: EnableCallingInput) => enableCalling(ports, input),
    replaceCredentials: (number: ChannelNumber, change: CredentialsChange) => replaceCredentials(ports, number, change),
    handOver: (tenantId: TenantId, accountId: string) => handOver(ports, tenantId, accountId),
    /** The number that a webhook is addressed to, and what it is verified with; null for an unknown id. */
    targetOf: (id: string) => targets.find(id),
    /** A chore. */
    enableDue: (isWanted: () => boolean) => enableDueCalling(ports, isWanted),
    /** A chore that answers whether there may be more. */
    workOff: (isWanted: () => boolean) => workOffAccount(ports, isWanted),
  }
}
