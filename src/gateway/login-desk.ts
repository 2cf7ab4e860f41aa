import { z } from 'zod'
import type { WebSessionStore } from '../ports/stores/web-session-store.ts'
import { ask, type AdminCommands } from './admin-socket.ts'

/** Operator commands on logins of the dashboard. */
export interface LoginDesk {
  /**
   * Makes a link that signs one browser in to the dashboard of a tenant; null means the oldest tenant. Throws when
   * there is no tenant, or no dashboard.
   */
  mint(tenantId: string | null): Promise<LoginLink>
}

export interface LoginLink {
  /** The address of the login. The token is in its fragment, which browsers do not send. */
  readonly url: string
}

export interface LoginDeskDeps {
  readonly webSessions: Pick<WebSessionStore, 'mintLoginToken'>
  readonly baseUrl: string
  readonly isDashboardOn: boolean
}

const OF_TENANT = z.object({ tenantId: z.string().nullable() })

/** The desk over the store, in the running gateway or without one. */
export function loginDesk({ webSessions, baseUrl, isDashboardOn }: LoginDeskDeps): LoginDesk {
  return {
    async mint(tenantId) {
      if (!isDashboardOn) throw new Error('the dashboard is off: DASHBOARD is off')
      const token = await webSessions.mintLoginToken(tenantId)
      if (token === null)
        throw new Error(tenantId === null ? 'there is no tenant yet' : `there is no tenant ${tenantId}`)
      return { url: `${baseUrl}/login#${token}` }
    },
  }
}

/** The commands of the desk over the socket. */
export function loginCommands(desk: LoginDesk): AdminCommands {
  return { '/login': (body) => desk.mint(OF_TENANT.parse(body).tenantId) }
}

/** Asks a running gateway for a login link; null when none listens in this data directory. */
export function askToMintLogin(dataDir: string, tenantId: string | null): Promise<LoginLink | null> {
  return ask(dataDir, '/login', { tenantId })
}
