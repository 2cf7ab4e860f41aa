import type { TenantId } from '../../domain/ids.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { CredentialsChange } from '../../ports/stores/official-store.ts'
import { workOffAccount } from './account-changes.ts'
import { enableCalling, enableDueCalling } from './enable-calling.ts'
import type { EnableCallingInput } from './enable-calling.ts'
import { handOver } from './hand-over.ts'
import type { OfficialPorts } from './ports.ts'
import { refresh } from './refresh.ts'
import { replaceCredentials } from './replace-credentials.ts'

/** Everything that can be done with accounts of the official platform and their numbers. */
export type OfficialCommands = ReturnType<typeof createOfficialAccounts>

/** Makes what can be done with accounts of the official platform and their numbers. */
export function createOfficialAccounts(ports: OfficialPorts) {
  return {
    refresh: (number: ChannelNumber) => refresh(ports, number),
    enableCalling: (input: EnableCallingInput) => enableCalling(ports, input),
    replaceCredentials: (number: ChannelNumber, change: CredentialsChange) => replaceCredentials(ports, number, change),
    handOver: (tenantId: TenantId, accountId: string) => handOver(ports, tenantId, accountId),
    /** A chore. */
    enableDue: (isWanted: () => boolean) => enableDueCalling(ports, isWanted),
    /** A chore, which answers whether there may be more. */
    workOff: (isWanted: () => boolean) => workOffAccount(ports, isWanted),
  }
}
