import type { Caller } from '../../domain/caller.ts'
import type { EmbedSession } from '../../domain/embed-session.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { FoundLink } from '../../ports/stores/pairing-store.ts'
import { diagnose, framersOfLink, framersOfSession } from './diagnose.ts'
import type { AskedFrame } from './diagnose.ts'
import { mintEmbedSession } from './mint.ts'
import type { WantedSession } from './mint.ts'
import type { EmbedPorts } from './ports.ts'
import { showSession } from './show.ts'

/** The commands of embed sessions. */
export type EmbedCommands = ReturnType<typeof createEmbeds>

/** Makes the commands of embed sessions. */
export function createEmbeds(ports: EmbedPorts) {
  const { embedSessions } = ports
  return {
    mint: (caller: Caller, wanted: WantedSession) => mintEmbedSession(ports, caller, wanted),
    list: (tenantId: TenantId, numberId: NumberId | null) => embedSessions.list(tenantId, numberId),
    revoke: (tenantId: TenantId, numberId: NumberId | null, id: string) => embedSessions.revoke(tenantId, numberId, id),
    refresh: (token: string) => embedSessions.refresh(token),
    show: (session: EmbedSession) => showSession(ports, session),
    diagnose: (frame: AskedFrame, origin: string) => diagnose(ports, frame, origin),
    framersOfLink: (link: FoundLink | null) => framersOfLink(ports, link),
    framersOfSession: (id: string) => framersOfSession(ports, id),
  }
}
