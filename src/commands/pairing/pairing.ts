import { issueLink } from './issue-link.ts'
import type { IssueLinkInput } from './issue-link.ts'
import { linkStatus } from './link-status.ts'
import { pairByLink } from './pair-by-link.ts'
import type { PairingPorts } from './ports.ts'
import { viewLink } from './view-link.ts'

/** The commands of connect links. */
export type PairingCommands = ReturnType<typeof createPairing>

/** Makes the commands of connect links: a caller with a key issues one, and whoever holds its token does the rest. */
export function createPairing(ports: PairingPorts) {
  return {
    issue: (input: IssueLinkInput) => issueLink(ports, input),
    view: (token: string) => viewLink(ports, token),
    pair: (token: string, isTyped = false) => pairByLink(ports, token, isTyped),
    status: (token: string) => linkStatus(ports, token),
  }
}
